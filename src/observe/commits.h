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

#include "base/error.h"
#include "base/types.h"
#include "machine/machine.h"
#include "observe/output.h"

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

/* ---- reader ------------------------------------------------------------------------------------------------------ */

/* Reader of commit traces, for comparing two of them: one of simtlab (observe/commits.h) and one from another source.
 *
 * A line is `cycle warp mask pc instruction [register=values]`. Other sources may omit the first line and the launches.
 * They may write '-' for unknown fields: the cycle, the mask, the instruction, the whole destination, a single value.
 * Fields unknown on one side are not compared. Empty lines and lines that begin with '#' are ignored. */

enum sl_commit_field {
  SL_COMMIT_LAUNCH,
  SL_COMMIT_CYCLE,
  SL_COMMIT_WARP,
  SL_COMMIT_MASK,
  SL_COMMIT_PC,
  SL_COMMIT_INSTRUCTION,
  SL_COMMIT_REGISTER,
  SL_COMMIT_VALUES,
  SL_COMMIT_FIELDS
};

/* Names of the fields for users. */
extern const char *const sl_commit_field_names[SL_COMMIT_FIELDS];

/* An executed warp instruction: one line of the log. */
struct sl_commit_entry {
  size_t offset; /* offset of the line in the text */
  uint32_t length;
  uint32_t line; /* from 1 */
  uint32_t launch;
  uint32_t warp;
};

struct sl_commit_log {
  char name[256];
  char *text;
  size_t size;
  bool mapped; /* the text is a memory mapping, not allocated */
  struct sl_commit_entry *entries;
  size_t count;
};

/* Text of a field; NULL for none. */
struct sl_commit_word {
  const char *text;
  size_t length;
};

/* A parsed line. */
struct sl_commit_line {
  unsigned known; /* set of enum sl_commit_field, bit 1 << field: fields that are not '-' */
  uint64_t cycle;
  uint32_t launch, warp, pc;
  sl_lanes mask;
  struct sl_commit_word instruction;
  struct sl_commit_word reg; /* destination; NULL: none */
  sl_lanes value_lanes;      /* lanes with a known value */
  uint32_t value[SL_MAX_LANES];
};

/* Reads and validates a log. SL_USAGE, with file and line: the file is no commit trace or has no instruction. */
enum sl_status sl_commit_log_read(struct sl_commit_log *log, const char *path, struct sl_error *err);
void sl_commit_log_free(struct sl_commit_log *log);

/* Parses the line of an entry, which reading has validated. */
void sl_commit_log_line(const struct sl_commit_log *log, size_t i, struct sl_commit_line *line);

/* Returns the set of fields in which two lines differ. */
unsigned sl_commit_differences(const struct sl_commit_line *a, const struct sl_commit_line *b);

/* Returns the lanes that are active in both lines and have different values. */
sl_lanes sl_commit_lanes_that_differ(const struct sl_commit_line *a, const struct sl_commit_line *b);

#endif
