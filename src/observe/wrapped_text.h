/* Text in UTF-8 as columns of a terminal, and in lines that fit. */
#ifndef SL_OBSERVE_WRAPPED_TEXT_H
#define SL_OBSERVE_WRAPPED_TEXT_H

#include <stdio.h>

#include "base/types.h"

/* Columns that a text takes: none for what combines with the character before, two for wide characters. */
size_t sl_text_columns(const char *text);

/* The bytes of a text that fit into so many columns: whole characters. */
size_t sl_text_fitting(const char *text, size_t columns);

struct sl_wrapping {
  size_t at;      /* column that the text begins in, what is left of it has been printed */
  size_t indent;  /* of the lines after the first */
  size_t columns; /* of a line; a longer word has one to itself */
};

/* Prints a text with line ends in place of blanks where lines would not fit, and after it a line end. A line end in the
 * text stays one. */
bool sl_print_wrapped(FILE *file, const char *text, const struct sl_wrapping *wrapping);

/* The same of a formatted text, in lines as wide as the terminal; those after the first are indented. */
bool sl_print_lines(FILE *file, size_t indent, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A line that is a list: what it is about, and items with commas between them, each in one line whole. */
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
