/* A comparison by source lines: the cycles that each line took in each run, and how they change. A line is the same in
 * two runs when its number is, and its file or, of files of one name in different folders, its text. */
#ifndef SL_CLI_COMPARE_LINES_H
#define SL_CLI_COMPARE_LINES_H

#include "cli/compare.h"
#include "observe/profile/profile.h"

/* The lines of a profile. Their strings are the program's. */
enum sl_status sl_compare_lines_take(struct sl_compare_lines *lines, const struct sl_profile_report *report,
                                     struct sl_error *err);
void sl_compare_lines_free(struct sl_compare_lines *lines);

/* A line in all runs. Of a run on several cores the cycles are the mean over them, so that they add up to the run's. */
struct sl_line_change {
  struct sl_location at;
  double cycles[SL_COMPARE_MOST];
};

struct sl_line_changes {
  struct sl_line_change *line;
  size_t count;
};

/* Those of all runs that have lines, the greatest difference to the first run first. */
enum sl_status sl_line_changes_create(struct sl_line_changes *changes, const struct sl_comparison *c,
                                      struct sl_error *err);
void sl_line_changes_free(struct sl_line_changes *changes);

/* A table per run but the first: so many lines, the others, and all. */
enum sl_status sl_line_changes_print(const struct sl_comparison *c, size_t most, FILE *file, struct sl_error *err);

/* A table for the page: a column per run, and one of differences. */
enum sl_status sl_line_changes_html(const struct sl_comparison *c, FILE *file, struct sl_error *err);

/* [{file, line, function, cycles [..], difference [..]}]; null of runs without lines. NULL without memory. */
json_t *sl_line_changes_json(const struct sl_comparison *c);

#endif
