/* Comparison of programs and machines: its runs and its reports. */
#ifndef SL_CLI_COMPARE_COMPARE_H
#define SL_CLI_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdio.h>
#include <time.h>

#include "cli/jobs.h"
#include "cli/options.h"
#include "device/device.h"
#include "observe/profile/profile.h"
#include "observe/report.h"

enum { SL_COMPARE_MOST = 64, SL_COMPARE_ARGUMENTS = 64, SL_COMPARE_NAME = 256 };

/* Cycles by source line, summed over cores; NULL if not requested, or if the run did not end. */
struct sl_compare_line {
  struct sl_location at;
  uint64_t cycles;
  char *text;   /* source text without surrounding blanks; NULL: do not read the source */
  unsigned nth; /* index among the lines of its function with the same text, from 0 */
};
struct sl_compare_lines {
  struct sl_compare_line *line;
  size_t count;
  unsigned cores;
  const char *edited; /* a source file modified after the program was compiled; NULL: none */
};

/* A run: a program, a machine with its settings, and the results. */
struct sl_compare_row {
  char name[SL_COMPARE_NAME]; /* the machine as the user wrote it */
  const char *file;           /* the program as the user wrote it */
  const struct sl_program *program;
  struct sl_config config;
  enum sl_status code; /* SL_OK, SL_CHECK_FAILED, or why the run did not end */
  struct sl_error error;
  int status; /* the program's exit status */
  size_t launches;
  struct sl_kernel_sums kernels;
  struct sl_known cycles, warp_instructions, thread_instructions, transactions;
  uint64_t counters[SL_MAX_COUNTERS]; /* sum over all launches */
  struct sl_compare_lines lines;
  struct sl_sampled sampled;
  struct sl_console_tail output;
};

struct sl_comparison {
  int argc; /* of the programs; argv[0] is not used */
  const char *const *argv;
  size_t programs; /* number of programs and machines */
  struct sl_compare_row *rows;
  size_t count;
};

/* Returns false on a write error. */
bool sl_compare_print(const struct sl_comparison *c, FILE *file);

/* {schema 1, simtlab, arguments [..], machines [{name, program {file, hash}, machine {name, pipeline, keys}, outcome,
 * message, status, launches, cycles, cycles_ratio, warp_instrs, thread_instrs, lane_utilisation, memory_transactions,
 * counters {name value}, cycles_by_cause {name value}, kernels [{kernel, launches, cycles, thread_instrs}]}],
 * lines (sl_line_changes_json)}. What is not known is null. */
json_t *sl_compare_json(const struct sl_comparison *c);

/* Writes one self-contained page with a table and charts. A write error shows when the file is closed. */
enum sl_status sl_compare_html(const struct sl_comparison *c, FILE *file, struct sl_error *err);

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Comparison by source line: cycles of each line in each run, and the differences. compare_lines.c matches lines
 * across runs. */

/* Collects the lines of a profile. The program was compiled at `made`, or just now (NULL). The strings belong to the
 * program. */
enum sl_status sl_compare_lines_take(struct sl_compare_lines *lines, const struct sl_profile_report *report,
                                     const struct timespec *made, struct sl_error *err);
void sl_compare_lines_free(struct sl_compare_lines *lines);

/* Index of the reference run: the same program on the first machine or, with one machine, the first program. */
size_t sl_compare_base(const struct sl_comparison *c, size_t run);

/* Prints a table per run that has a reference: the given number of lines, the remaining lines, and the sum. */
enum sl_status sl_line_changes_print(const struct sl_comparison *c, size_t most, FILE *file, struct sl_error *err);

/* Writes an HTML table: a column per run, and one of differences. */
enum sl_status sl_line_changes_html(const struct sl_comparison *c, FILE *file, struct sl_error *err);

/* [{file, line, function, cycles [..], difference [..]}], with null for runs without lines. NULL if memory is
 * exhausted. */
json_t *sl_line_changes_json(const struct sl_comparison *c);

#endif
