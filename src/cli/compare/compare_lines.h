/* Comparison by source line: cycles of each line in each run, and the differences. compare_lines.c matches lines
 * across runs. */
#ifndef SL_CLI_COMPARE_COMPARE_LINES_H
#define SL_CLI_COMPARE_COMPARE_LINES_H

#include <time.h>

#include "cli/compare/compare.h"
#include "observe/profile/profile.h"

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
