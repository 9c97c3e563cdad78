/* Text tables: columns as wide as their widest cell, numbers right-aligned. A table wider than the terminal is split
 * into several, one below the other, each with the first column. A last column of text is wrapped, and so is a cell of
 * the first column that would leave no space for another. Titles are highlighted on colour terminals. */
#ifndef SL_OBSERVE_TABLE_H
#define SL_OBSERVE_TABLE_H

#include <stdio.h>

#include "base/types.h"

enum { SL_TABLE_COLUMNS = 12, SL_TABLE_CELL = 256 };

/* Colour of a cell, on a colour terminal. */
enum sl_tone { SL_TONE_PLAIN, SL_TONE_GOOD, SL_TONE_BAD, SL_TONE_STRONG };

struct sl_table_cell {
  char text[SL_TABLE_CELL];
  enum sl_tone tone;
};

struct sl_table {
  size_t columns;
  const char *titles[SL_TABLE_COLUMNS]; /* a title that begins with '>' right-aligns its cells */
  struct sl_table_cell *cells;
  size_t count;    /* of cells */
  bool incomplete; /* there was no memory for a cell, or no room for a column */
};

/* Starts a table with columns of these titles, NULL-terminated. The titles must outlive it. */
void sl_table_init(struct sl_table *table, const char *const *titles);
void sl_table_free(struct sl_table *table);

/* Adds the next cell, row by row from the left; longer text is truncated. All rows must be complete. */
void sl_table_cell(struct sl_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the colour of the last added cell. */
void sl_table_tone(struct sl_table *table, enum sl_tone tone);

/* Prints titles and rows. False if writing failed or the table is incomplete. */
bool sl_table_print(const struct sl_table *table, FILE *file);

/* Writes a count with commas between thousands into text; returns text. */
const char *sl_grouped(uint64_t value, char text[32]);

#endif
