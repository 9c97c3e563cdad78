/* HTML files that need no others: the frame of a page, with a style and a script of its own, and escaped text.
 *
 * The style has light and dark colours, as the reader's system asks. A table of class "sortable" is sorted by its
 * titles, which become buttons: by the cells' data-v where they have one, else by their text. A select element with
 * data-for shows the group of class "launch" of that plot whose data-launch is its value. */
#ifndef SL_OBSERVE_HTML_H
#define SL_OBSERVE_HTML_H

#include <stdio.h>

/* Document type, head and the beginning of the body, with the title as its heading. */
void sl_html_begin(FILE *f, const char *title);
/* The end, with where the page comes from above it; NULL says nothing of that. */
void sl_html_end(FILE *f, const char *origin);

/* Text as text, also within a quoted attribute. */
void sl_html_text(FILE *f, const char *text);

/* An element with a text in it. */
void sl_html_element(FILE *f, const char *element, const char *text);

/* A table of figures, up to its first row: titles, NULL-terminated; and its end. */
void sl_html_begin_table(FILE *f, const char *const *titles);
void sl_html_end_table(FILE *f);

#endif
