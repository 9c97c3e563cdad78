/* Self-contained HTML files: page frame with embedded style and script, and escaped text.
 *
 * The style has light and dark colours, by the reader's system preference. The titles of a table of class "sortable"
 * become buttons that sort it: by the cells' data-v where present, otherwise by their text. A select element with
 * data-for shows the group of class "launch" of that plot whose data-launch equals its value. */
#ifndef SL_OBSERVE_HTML_H
#define SL_OBSERVE_HTML_H

#include <stdio.h>

/* Writes document type, head and the beginning of the body, with the title as its heading. */
void sl_html_begin(FILE *f, const char *title);
/* Writes the end of the page, preceded by its origin; NULL: no origin. */
void sl_html_end(FILE *f, const char *origin);

/* Writes escaped text, also valid within a quoted attribute. */
void sl_html_text(FILE *f, const char *text);

/* Writes an element with a text. */
void sl_html_element(FILE *f, const char *element, const char *text);

/* Write the beginning of a table up to its first row, with NULL-terminated titles; and its end. */
void sl_html_begin_table(FILE *f, const char *const *titles);
void sl_html_end_table(FILE *f);

#endif
