/* Width of UTF-8 text in terminal columns, and line wrapping. */
#ifndef SL_OBSERVE_WRAPPED_TEXT_H
#define SL_OBSERVE_WRAPPED_TEXT_H

#include <stdio.h>

#include "base/types.h"

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

#endif
