/* The tables of a study's report, with their values. Texts of the report may contain {NAME}: a text of the row, of
 * `define`, the value of a name that all runs of the scope share, or machine.about, machine.base, machine.keys,
 * machine.form, scale, sample, version; {=EXPRESSION} is a number. Inner braces are replaced first. */
#ifndef SL_LAB_REPORT_GRID_H
#define SL_LAB_REPORT_GRID_H

#include "lab/report/report_values.h"

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

#endif
