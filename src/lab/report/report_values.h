/* Expressions over the runs of a study, for the tables of its report.
 *
 * A scope is a set of runs, and perhaps a machine. In an expression, a name stands for the mean over the runs of the
 * scope's machine, NAME@MACHINE for that over the runs of another machine, and TABLE.COLUMN for a published number.
 * mean(DIM, X), geomean, sum, least and most evaluate X for each value of DIM in the scope and summarise what is known;
 * count(DIM) is the number of values, count(DIM, X) that for which X holds. slope(DIM, X, Y) and start(DIM, X, Y) fit a
 * straight line Y = start + slope * X. `none` is unknown. */
#ifndef SL_LAB_REPORT_VALUES_H
#define SL_LAB_REPORT_VALUES_H

#include "lab/run_table.h"
#include "lab/study/study.h"

/* Published numbers: a CSV file whose first line has names. Those of texts of the runs choose a line. */
struct sl_published {
  char *text, **cells; /* row by row, with the names first */
  size_t columns, rows;
};

struct sl_report_values {
  const struct sl_study *study;
  struct sl_run_table table;
  size_t *runs; /* of the study, in its order: by program, size, seed and machine; each combination once, the latest */
  size_t count;
  uint32_t *machines; /* number of the machine, by run of the table */
  struct sl_published *published;
};

enum { SL_NO_MACHINE = -1 };

struct sl_report_scope {
  const size_t *runs;
  size_t count;
  int machine; /* its number in the study, or SL_NO_MACHINE */
};

/* Reads the runs of a study that have passed. Close it also after an error. */
enum sl_status sl_report_values_open(struct sl_report_values *values, const struct sl_study *study,
                                     struct sl_record *record, struct sl_error *err);
void sl_report_values_close(struct sl_report_values *values);

/* Evaluates an expression. */
enum sl_status sl_report_value(struct sl_report_values *values, const struct sl_report_scope *scope, const char *text,
                               struct sl_datum *value, struct sl_error *err);

/* Calls a function for each value of a dimension in a scope, in the order of the study. */
typedef enum sl_status sl_report_visit(void *context, const struct sl_report_scope *scope, struct sl_error *err);
enum sl_status sl_report_each(struct sl_report_values *values, const struct sl_report_scope *scope, const char *dim,
                              sl_report_visit *visit, void *context, struct sl_error *err);

#endif
