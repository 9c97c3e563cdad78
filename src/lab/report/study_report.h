/* The report of a study (lab/study/study.h) over its recorded runs: expressions, tables, and charts. */
#ifndef SL_LAB_REPORT_STUDY_REPORT_H
#define SL_LAB_REPORT_STUDY_REPORT_H

#include "lab/query.h"
#include "lab/record.h"
#include "lab/study/study.h"

/* ---- expressions ------------------------------------------------------------------------------------------------- */

/* Expressions over the runs of a study, for the tables of its report.
 *
 * A scope is a set of runs, and perhaps a machine. In an expression, a name stands for the mean over the runs of the
 * scope's machine, NAME@MACHINE for that over the runs of another machine, and TABLE.COLUMN for a published number.
 * mean(DIM, X), geomean, sum, least and most evaluate X for each value of DIM in the scope and summarise what is known;
 * count(DIM) is the number of values, count(DIM, X) that for which X holds. slope(DIM, X, Y) and start(DIM, X, Y) fit a
 * straight line Y = start + slope * X. `none` is unknown. */

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

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* The tables of a study's report, with their values. Texts of the report may contain {NAME}: a text of the row, of
 * `define`, the value of a name that all runs of the scope share, or machine.about, machine.base, machine.keys,
 * machine.form, scale, sample, version; {=EXPRESSION} is a number. Inner braces are replaced first. */

enum { SL_GRID_UNIT = 40 };

struct sl_grid_cell {
  char *text; /* NULL: a number; not a number: unknown */
  double number, published;
  char unit[SL_GRID_UNIT];
  int decimals; /* below 0: as many as needed */
  bool count, sign;
};

struct sl_grid_column {
  const char *title, *csv; /* csv: the title in the file; NULL: the same */
  bool in_page, in_file, in_text, published;
  bool bare;         /* never in quotation marks in the file */
  int file_decimals; /* below 0: significant digits */
  unsigned colour;
};

struct sl_grid {
  struct sl_grid_column *columns;
  struct sl_grid_cell *cells; /* row by row */
  size_t column_count, row_count;
  bool total; /* the last rows are over all others */
};

/* Computes a table. Free it also after an error. Errors begin with FILE:LINE. */
enum sl_status sl_grid_make(struct sl_grid *grid, struct sl_report_values *values, const struct sl_report_table *table,
                            struct sl_error *err);
void sl_grid_free(struct sl_grid *grid);

/* Whether an item's `if` holds, or it has none. */
enum sl_status sl_grid_shown(struct sl_report_values *values, const struct sl_texts *item, bool *shown,
                             struct sl_error *err);

/* A text with its names in braces replaced; the caller frees it. */
enum sl_status sl_grid_text(struct sl_report_values *values, const char *text, size_t line, char **expanded,
                            struct sl_error *err);

/* ---- charts ------------------------------------------------------------------------------------------------------ */

/* The data of a report as JSON: its charts with one row per mark, and the runs that the marks stand for. The page's
 * script (tools/charts/charts.js) reads it. */

/* Most marks of a chart, and most runs that the page lists. */
enum { SL_REPORT_MARKS = 50000, SL_REPORT_RUNS = 10000 };

/* *page is the caller's. An error of a chart begins with FILE:LINE. */
enum sl_status sl_report_data(const struct sl_study *study, struct sl_record *record, json_t **page,
                              struct sl_error *err);

#endif
