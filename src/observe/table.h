/* Text tables: columns as wide as their widest cell, numbers to the right. What is wider than the terminal is printed
 * as several tables, one below the other, each with the first column; a last column of text is in several lines, and so
 * is a cell of the first that would leave no room for another. Titles stand out where there are colours. */
#ifndef SL_OBSERVE_TABLE_H
#define SL_OBSERVE_TABLE_H

#include <stdio.h>

#include "base/types.h"

enum { SL_TABLE_COLUMNS = 12, SL_TABLE_CELL = 256 };

/* Of a cell, on a terminal with colours. */
enum sl_tone { SL_TONE_PLAIN, SL_TONE_GOOD, SL_TONE_BAD, SL_TONE_STRONG };

struct sl_table_cell {
  char text[SL_TABLE_CELL];
  enum sl_tone tone;
};

struct sl_table {
  size_t columns;
  const char *titles[SL_TABLE_COLUMNS]; /* a title that begins with '>' has its cells to the right */
  struct sl_table_cell *cells;
  size_t count, capacity; /* of cells */
  bool incomplete;        /* there was no memory for a cell, or no room for a column */
};

/* A table with columns of these titles, NULL-terminated. The titles must outlive it. */
void sl_table_init(struct sl_table *table, const char *const *titles);
void sl_table_free(struct sl_table *table);

/* Adds the next cell, row by row from the left; longer text is cut. Rows are to be complete. */
void sl_table_cell(struct sl_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives the cell added last a tone. */
void sl_table_tone(struct sl_table *table, enum sl_tone tone);

/* Prints titles and rows. False when writing failed or the table is incomplete. */
bool sl_table_print(const struct sl_table *table, FILE *file);

/* A count with thousands separated by commas, into text; returns text. */
const char *sl_grouped(uint64_t value, char text[32]);

#endif
