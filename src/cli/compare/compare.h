/* Programs on machines: what is compared, and how it is shown. */
#ifndef SL_CLI_COMPARE_COMPARE_H
#define SL_CLI_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "gpu/device.h"
#include "observe/kernel_sums.h"

enum { SL_COMPARE_MOST = 64, SL_COMPARE_ARGUMENTS = 64, SL_COMPARE_NAME = 256, SL_COMPARE_OUTPUT = 1024 };

/* Cycles of a run by source line, of all cores together; NULL: it was not asked for, or the run did not end. */
struct sl_compare_line {
  struct sl_location at;
  uint64_t cycles;
  char *text;   /* of the source, without blanks around it; NULL: the source is not to be read */
  unsigned nth; /* of the lines of its function with this text, from 0 */
};
struct sl_compare_lines {
  struct sl_compare_line *line;
  size_t count;
  unsigned cores;
  const char *edited; /* a source that is newer than the program, whose text is not what was compiled; NULL: none is */
};

/* A program on a machine with its settings and, after the run, what came of it. */
struct sl_compare_row {
  char name[SL_COMPARE_NAME]; /* the machine's, as the user wrote it */
  const char *file;           /* the program's, likewise */
  const struct sl_program *program;
  struct sl_config config;
  enum sl_status code; /* SL_OK, SL_CHECK_FAILED, or why the program did not end */
  struct sl_error error;
  int status; /* the program's own */
  size_t launches;
  struct sl_kernel_sums kernels;
  struct sl_known cycles, warp_instructions, thread_instructions, transactions;
  uint64_t counters[SL_MAX_COUNTERS]; /* over all launches */
  struct sl_compare_lines lines;
  struct sl_sampled sampled;
  char output[SL_COMPARE_OUTPUT]; /* the last of what it printed */
  size_t output_length;
};

struct sl_comparison {
  int argc; /* of the programs; what argv[0] has is not used */
  const char *const *argv;
  size_t programs; /* how many are compared */
  struct sl_compare_row *rows;
  size_t count;
};

/* Active lanes per instruction and lane of the machine, 0 to 1; below 0 when it is not known. */
double sl_compare_utilisation(const struct sl_compare_row *row);

/* Counters of cycles of the issue slots by cause, of those that occur in some row: how many there are, into name[] and
 * for each row into share[row][]. Machines that call causes alike share them. */
enum { SL_COMPARE_CAUSES = 120 };
struct sl_compare_causes {
  size_t count;
  const char *name[SL_COMPARE_CAUSES];
  enum sl_cause_kind kind[SL_COMPARE_CAUSES];
  double share[SL_COMPARE_MOST][SL_COMPARE_CAUSES];
};
void sl_compare_causes(const struct sl_comparison *c, struct sl_compare_causes *causes);

/* The number of the run that a run is compared with: of the same program on the first machine or, where there is one
 * machine, of the first program. */
size_t sl_compare_base(const struct sl_comparison *c, size_t run);

/* What ratios are to, as the end of a sentence. */
const char *sl_compare_base_words(const struct sl_comparison *c);

/* Cycles of a row by those of the run it is compared with; below 0 when either did not end. */
double sl_compare_ratio(const struct sl_comparison *c, const struct sl_compare_row *row);

/* A program that did not end has no cycles to compare. */
bool sl_compare_ended(const struct sl_compare_row *row);

/* "passed", "check failed", "fault", ... */
const char *sl_compare_outcome(const struct sl_compare_row *row);

/* False when the table could not be written. */
bool sl_compare_print(const struct sl_comparison *c, FILE *file);

/* {schema 1, simtlab, arguments [..], machines [{name, program {file, hash}, machine {name, pipeline, keys}, outcome,
 * message, status, launches, cycles, cycles_ratio, warp_instrs, thread_instrs, lane_utilisation, memory_transactions,
 * counters {name value}, cycles_by_cause {name value}, kernels [{kernel, launches, cycles, thread_instrs}]}],
 * lines (compare_lines.h)}. What is not known is null. */
json_t *sl_compare_json(const struct sl_comparison *c);

/* One page with a table and charts, without other files. Writing that failed shows when the file is closed. */
enum sl_status sl_compare_html(const struct sl_comparison *c, FILE *file, struct sl_error *err);

#endif
