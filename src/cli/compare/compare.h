/* Comparison of programs and machines: its runs and its reports. */
#ifndef SL_CLI_COMPARE_COMPARE_H
#define SL_CLI_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "gpu/device.h"
#include "observe/report.h"

enum { SL_COMPARE_MOST = 64, SL_COMPARE_ARGUMENTS = 64, SL_COMPARE_NAME = 256, SL_COMPARE_OUTPUT = 1024 };

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
  char output[SL_COMPARE_OUTPUT]; /* end of the program's console output */
  size_t output_length;
};

struct sl_comparison {
  int argc; /* of the programs; argv[0] is not used */
  const char *const *argv;
  size_t programs; /* number of programs and machines */
  struct sl_compare_row *rows;
  size_t count;
};

/* Active lanes per instruction and lane of the machine, 0 to 1; below 0 if unknown. */
double sl_compare_utilisation(const struct sl_compare_row *row);

/* Issue-slot cycles by stall reason. Collects the reasons that occur in some row into name[], and each row's counts
 * into share[row][]. Machines with the same name for a reason share its column. Returns the number of reasons. */
enum { SL_COMPARE_STALL_REASONS = 120 };
struct sl_compare_stall_reasons {
  size_t count;
  const char *name[SL_COMPARE_STALL_REASONS];
  enum sl_stall_reason_kind kind[SL_COMPARE_STALL_REASONS];
  double share[SL_COMPARE_MOST][SL_COMPARE_STALL_REASONS];
};
void sl_compare_stall_reasons(const struct sl_comparison *c, struct sl_compare_stall_reasons *causes);

/* Index of the reference run: the same program on the first machine or, with one machine, the first program. */
size_t sl_compare_base(const struct sl_comparison *c, size_t run);

/* Names the reference of ratios, as the end of a sentence. */
const char *sl_compare_base_words(const struct sl_comparison *c);

/* Cycles of a row divided by those of its reference run; below 0 if either did not end. */
double sl_compare_ratio(const struct sl_comparison *c, const struct sl_compare_row *row);

/* The row's cycles are valid only if its program ended. */
bool sl_compare_ended(const struct sl_compare_row *row);

/* "passed", "check failed", "fault", ... */
const char *sl_compare_outcome(const struct sl_compare_row *row);

/* Returns false on a write error. */
bool sl_compare_print(const struct sl_comparison *c, FILE *file);

/* {schema 1, simtlab, arguments [..], machines [{name, program {file, hash}, machine {name, pipeline, keys}, outcome,
 * message, status, launches, cycles, cycles_ratio, warp_instrs, thread_instrs, lane_utilisation, memory_transactions,
 * counters {name value}, cycles_by_cause {name value}, kernels [{kernel, launches, cycles, thread_instrs}]}],
 * lines (compare_lines.h)}. What is not known is null. */
json_t *sl_compare_json(const struct sl_comparison *c);

/* Writes one self-contained page with a table and charts. A write error shows when the file is closed. */
enum sl_status sl_compare_html(const struct sl_comparison *c, FILE *file, struct sl_error *err);

/* Cells of a comparison's table, for text and HTML. */

/* Size of a number's text. */
struct sl_compare_cell {
  char text[32];
};

const char *sl_compare_count_text(struct sl_known known, struct sl_compare_cell *cell);
const char *sl_compare_ratio_text(double value, struct sl_compare_cell *cell);

enum { SL_COMPARE_OUTCOME = 2, SL_COMPARE_COLUMNS = 9 };

/* Column titles; the list ends with NULL. The first column, the program, appears only with several programs. */
extern const char *const sl_compare_titles[SL_COMPARE_COLUMNS + 1];
size_t sl_compare_first_column(const struct sl_comparison *c);

/* Formats a row's cells in the order of the titles. A run that did not end shows its counts so far, but no ratio. */
void sl_compare_row_texts(const struct sl_comparison *c, const struct sl_compare_row *row,
                          const char *text[SL_COMPARE_COLUMNS], struct sl_compare_cell cells[SL_COMPARE_COLUMNS]);

#endif
