/* Capabilities of an output stream: columns and colours.
 *
 * The width is the terminal's; elsewhere, such as in a pipe, it is COLUMNS, or 80 if this is unset. Colours require a
 * terminal with colours (TERM) and no NO_COLOR. SIMTLAB_COLOR, `always` or `never`, overrides both. */
#ifndef SL_OBSERVE_TERMINAL_H
#define SL_OBSERVE_TERMINAL_H

#include <stdio.h>

#include "base/types.h"

struct sl_terminal {
  unsigned columns; /* at least 40 */
  bool redraws;     /* the terminal can redraw a line in place */
  bool colour;
};

struct sl_terminal sl_terminal_of(FILE *file);

/* Like fprintf, but what names of others have that a terminal would obey is escaped (base/error.h). The format
 * itself is the caller's and may have ends of lines and tabs only. Bytes written, below 0 when it could not be. */
int sl_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Progress line on a terminal: redrawn in place a few times per second, erased when hidden. On other files it prints
 * nothing.
 *
 * Only one thread at a time may use it. */

struct sl_progress {
  FILE *file;
  bool enabled; /* the file is a terminal that can redraw a line */
  bool colour;  /* the terminal also has colours */
  bool shown;
  double next; /* time before which the line is not redrawn */
};

void sl_progress_init(struct sl_progress *progress, FILE *file, bool quiet);

/* Whether the next redraw is due; false if the file is no terminal. */
bool sl_progress_due(struct sl_progress *progress);

/* Draws a line, truncated to 79 columns. */
void sl_progress_draw(struct sl_progress *progress, const char *line);

/* Erases the line, before other output to the same terminal. */
void sl_progress_hide(struct sl_progress *progress);

/* Seconds of a monotonic clock. */
double sl_seconds(void);

/* ---- wrapped text ------------------------------------------------------------------------------------------------ */

/* Width of UTF-8 text in terminal columns, and line wrapping. */

/* Returns the columns of a text: 0 for combining characters, 2 for wide characters. */
size_t sl_text_columns(const char *text);

/* Returns the bytes of a text that fit into this many columns, in whole characters. */
size_t sl_text_fitting(const char *text, size_t columns);

struct sl_wrapping {
  size_t at;      /* column where the text begins; text left of it has been printed */
  size_t indent;  /* of the lines after the first */
  size_t columns; /* per line; a longer word has its own line */
};

/* Prints a text with line breaks in place of blanks where lines would not fit, and a final line break. Line breaks of
 * the text remain. */
bool sl_print_wrapped(FILE *file, const char *text, const struct sl_wrapping *wrapping);

/* Prints a formatted text, wrapped at the terminal's width; lines after the first are indented. */
bool sl_print_lines(FILE *file, size_t indent, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A line that is a list: its subject, and items separated by commas, each unbroken in one line. */
struct sl_list_line {
  FILE *file;
  size_t at, indent, columns;
  size_t items;
};

void sl_list_begin(struct sl_list_line *line, FILE *file, size_t indent, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sl_list_item(struct sl_list_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_list_end(struct sl_list_line *line);

/* Text tables: columns as wide as their widest cell, numbers right-aligned. A table wider than the terminal is split
 * into several, one below the other, each with the first column. A last column of text is wrapped, and so is a cell of
 * the first column that would leave no space for another. Titles are highlighted on colour terminals. */

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
