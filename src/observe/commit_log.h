/* Commit traces read back, to compare two of them: ours (observe/commits.h) and one that was made elsewhere.
 *
 * A line is `cycle warp mask pc instruction [register=values]`. Other makers may leave out the first line and the
 * launches, and write '-' for what they do not know: the cycle, the mask, the instruction, the destination as a whole,
 * a single value. What one side does not know is not compared. Lines that are empty or begin with '#' say nothing. */
#ifndef SL_OBSERVE_COMMIT_LOG_H
#define SL_OBSERVE_COMMIT_LOG_H

#include "base/error.h"
#include "base/types.h"

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

/* Name of a field, as users write it. */
extern const char *const sl_commit_field_names[SL_COMMIT_FIELDS];

/* An executed warp instruction: a line of the log. */
struct sl_commit_entry {
  size_t offset; /* of the line in the text */
  uint32_t length;
  uint32_t line; /* from 1 */
  uint32_t launch;
  uint32_t warp;
};

struct sl_commit_log {
  char name[256];
  char *text;
  size_t size;
  bool mapped; /* the text is a mapping, not allocated */
  struct sl_commit_entry *entries;
  size_t count, capacity;
};

/* Text of a field; NULL for none. */
struct sl_commit_word {
  const char *text;
  size_t length;
};

/* A line taken apart. */
struct sl_commit_line {
  unsigned known; /* set of enum sl_commit_field, bit 1 << field: those that were not '-' */
  uint64_t cycle;
  uint32_t launch, warp, pc;
  sl_lanes mask;
  struct sl_commit_word instruction;
  struct sl_commit_word reg; /* destination; NULL: it writes none */
  sl_lanes value_lanes;      /* lanes whose value is known */
  uint32_t value[SL_MAX_LANES];
};

/* Reads a log and checks every line of it. SL_USAGE, with file and line, for what is no commit trace or has no
 * instruction at all. */
enum sl_status sl_commit_log_read(struct sl_commit_log *log, const char *path, struct sl_error *err);
void sl_commit_log_free(struct sl_commit_log *log);

/* The line of an entry; it was checked when the log was read. */
void sl_commit_log_line(const struct sl_commit_log *log, size_t i, struct sl_commit_line *line);

/* The fields in which two lines differ, as a set. */
unsigned sl_commit_differences(const struct sl_commit_line *a, const struct sl_commit_line *b);

/* Lanes that are in both lines and have different values. */
sl_lanes sl_commit_lanes_that_differ(const struct sl_commit_line *a, const struct sl_commit_line *b);

#endif
