/* Commit trace: one line of text per executed warp instruction, for comparison with another run or an RTL log.
 *
 * The first line is "# simtlab commits 2: cycle warp mask pc instruction [register=values]". The last line is "# end: N
 * instructions"; without it the trace is truncated. "launch N" precedes the instructions of a launch. One blank
 * separates the fields: cycle of the launch (decimal), warp (decimal), active lanes (hexadecimal, lane 0 lowest), pc (8
 * hexadecimal digits), and the instruction (mnemonic, blank, operands). If the instruction writes a register, the
 * register's name, '=' and the values of the active lanes follow, lowest lane first, each 8 hexadecimal digits,
 * separated by commas. */
#ifndef SL_OBSERVE_COMMITS_H
#define SL_OBSERVE_COMMITS_H

#include "machine/machine.h"
#include "observe/trace_file.h"

enum { SL_COMMIT_WARPS = 1 << 13 }; /* more than the warps of all cores of any machine */

/* Filter: the instructions to write. */
struct sl_commit_choice {
  const char *window, *warps; /* the user's text, NULL: all */
  uint64_t from, to;          /* cycles of a launch, inclusive */
  uint64_t warp[SL_COMMIT_WARPS / 64];
};

/* Parses "FROM:TO", where either may be missing, and "0,3,8-11"; NULL for all. */
enum sl_status sl_commit_choose(struct sl_commit_choice *choice, const char *window, const char *warps,
                                struct sl_error *err);

struct sl_commits {
  struct sl_trace_file *file;
  struct sl_commit_choice choice;
  bool begun;
  unsigned launch;
  uint64_t count;
};

/* Write the first lines, with the trace's origin (a line of text, NULL for none), and the last one. The caller closes
 * the file. */
void sl_commits_begin(struct sl_commits *commits, struct sl_trace_file *file, const struct sl_commit_choice *choice,
                      const char *origin);
void sl_commits_end(struct sl_commits *commits);

/* Observer of SL_PROBE_EXECUTED; the context is a struct sl_commits. */
bool sl_commits_write(void *context, const struct sl_probe *commit);

#endif
