/* A comparison by source lines: the cycles that each line took in each run, and how they change. Which lines are the
 * same in two runs is in compare_line_texts.h. */
#ifndef SL_CLI_COMPARE_COMPARE_LINES_H
#define SL_CLI_COMPARE_COMPARE_LINES_H

#include <time.h>

#include "cli/compare/compare.h"
#include "observe/profile/profile.h"

/* The lines of a profile of a program that was made at a time, or just now (NULL). Their strings are the program's. */
enum sl_status sl_compare_lines_take(struct sl_compare_lines *lines, const struct sl_profile_report *report,
                                     const struct timespec *made, struct sl_error *err);
void sl_compare_lines_free(struct sl_compare_lines *lines);

/* A line in all runs. Of a run on several cores the cycles are the mean over them, so that they add up to the run's. */
struct sl_line_change {
  const struct sl_compare_line *line; /* of the first run that has it */
  size_t run;
  double cycles[SL_COMPARE_MOST];
};

struct sl_line_changes {
  struct sl_line_change *line;
  size_t count;
};

/* Those of all runs that have lines, the greatest difference to the run they are compared with first. */
enum sl_status sl_line_changes_create(struct sl_line_changes *changes, const struct sl_comparison *c,
                                      struct sl_error *err);
void sl_line_changes_free(struct sl_line_changes *changes);

/* A table per run that is compared with another: so many lines, the others, and all. */
enum sl_status sl_line_changes_print(const struct sl_comparison *c, size_t most, FILE *file, struct sl_error *err);

/* A table for the page: a column per run, and one of differences. */
enum sl_status sl_line_changes_html(const struct sl_comparison *c, FILE *file, struct sl_error *err);

/* [{file, line, function, cycles [..], difference [..]}]; null of runs without lines. NULL without memory. */
json_t *sl_line_changes_json(const struct sl_comparison *c);

#endif
