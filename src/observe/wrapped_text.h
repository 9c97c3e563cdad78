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

#endif
