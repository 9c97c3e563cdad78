/* Compares the runs of two records. Runs are the same if machine, settings, program (by name), arguments, size, seed
 * and mode are; of several in one record the latest counts. What may differ is the build, the program's code, and the
 * values of keys that the study does not set. */
#ifndef SL_LAB_RUN_DIFF_H
#define SL_LAB_RUN_DIFF_H

#include "lab/run_table.h"

struct sl_run_pair {
  size_t run[2];   /* in the two tables */
  double value[2]; /* of the metric */
  double change;   /* value[1] / value[0] - 1; not finite: one is missing, or the first is 0 */
  bool outcome;    /* the outcomes differ */
  bool beyond;     /* outcome differs, or the change is beyond the threshold */
};

struct sl_run_diff {
  struct sl_run_pair *pairs; /* in the order of the first table */
  size_t count, beyond;
  size_t only[2];
  double ratio; /* geometric mean of value[1] / value[0]; not a number without pairs */
};

/* threshold: as a fraction. Both tables must have all runs (sl_run_table_open). */
enum sl_status sl_run_diff(struct sl_run_table tables[2], const char *metric, double threshold,
                           struct sl_run_diff *diff, struct sl_error *err);

/* A description of a run, "VecAdd small on simtight lanes=8". */
enum sl_status sl_run_describe(struct sl_run_table *table, size_t run, char *text, size_t size, struct sl_error *err);

#endif
