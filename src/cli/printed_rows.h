/* Rows of cells that a command prints in the format that the user chooses: text, csv, json, markdown or latex. */
#ifndef SL_CLI_PRINTED_ROWS_H
#define SL_CLI_PRINTED_ROWS_H

#include "base/error.h"
#include "base/types.h"

#define SL_ROWS_FORMATS "text|csv|json|markdown|latex"

enum sl_rows_format { SL_ROWS_TEXT, SL_ROWS_CSV, SL_ROWS_JSON, SL_ROWS_MARKDOWN, SL_ROWS_LATEX };

enum { SL_ROWS_COLUMNS = 64 };

struct sl_rows {
  size_t columns, count; /* count: of cells */
  char *titles[SL_ROWS_COLUMNS];
  bool right[SL_ROWS_COLUMNS]; /* a column of numbers */
  char **cells;
  bool incomplete; /* there was no memory for a cell */
};

/* NULL is text. */
enum sl_status sl_rows_choose(const char *name, enum sl_rows_format *format, struct sl_error *err);

void sl_rows_free(struct sl_rows *rows);
void sl_rows_title(struct sl_rows *rows, bool right, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds the next cell, row by row from the left. An empty cell in a column of numbers is an unknown number. */
void sl_rows_cell(struct sl_rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a number with that many significant digits; empty if it is not finite. `sign`: a positive one has a plus. */
void sl_rows_number(struct sl_rows *rows, double value, int digits, bool sign);

/* Prints to standard output. */
enum sl_status sl_rows_print(const struct sl_rows *rows, enum sl_rows_format format, struct sl_error *err);

#endif
