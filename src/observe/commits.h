/* Commit trace: a line of text per executed warp instruction, for diffing with another run or an RTL log.
 *
 * The first line is "# simtlab commits 2: cycle warp mask pc instruction [register=values]", the last one
 * "# end: N instructions": without it the trace is cut. Before the instructions of a launch comes "launch N". The
 * fields are separated by one blank: cycle of the launch (decimal), warp (decimal), active lanes (hexadecimal, lane 0
 * lowest), pc (8 hexadecimal digits), the instruction (mnemonic, and after a blank its operands), and when it writes a
 * register, its name, '=' and the values of the active lanes, lowest lane first, each 8 hexadecimal digits, separated
 * by commas. */
#ifndef SL_OBSERVE_COMMITS_H
#define SL_OBSERVE_COMMITS_H

#include "machine/machine.h"
#include "observe/trace_file.h"

enum { SL_COMMIT_WARPS = 1 << 13 }; /* more than the warps of all cores of any machine */

/* Which instructions have lines. */
struct sl_commit_choice {
  const char *window, *warps; /* as they were written, NULL: all */
  uint64_t from, to;          /* cycles of a launch, both included */
  uint64_t warp[SL_COMMIT_WARPS / 64];
};

/* Reads "FROM:TO", either of which may be missing, and "0,3,8-11"; NULL for all. */
enum sl_status sl_commit_choose(struct sl_commit_choice *choice, const char *window, const char *warps,
                                struct sl_error *err);

struct sl_commits {
  struct sl_trace_file *file;
  struct sl_commit_choice choice;
  bool begun;
  unsigned launch;
  uint64_t count;
};

/* Writes the first lines, with where the trace comes from (a line of text, NULL for none), and the last one. The file
 * stays the caller's to close. */
void sl_commits_begin(struct sl_commits *commits, struct sl_trace_file *file, const struct sl_commit_choice *choice,
                      const char *origin);
void sl_commits_end(struct sl_commits *commits);

/* A listener to SL_PROBE_EXECUTED; the context is a struct sl_commits. */
bool sl_commits_write(void *context, const struct sl_probe *commit);

#endif
