/* Self-contained HTML files: page frame with embedded style and script, and escaped text.
 *
 * The style has light and dark colours, by the reader's system preference. The titles of a table of class "sortable"
 * become buttons that sort it: by the cells' data-v where present, otherwise by their text. A select element with
 * data-for shows the group of class "launch" of that plot whose data-launch equals its value. */
#ifndef SL_OBSERVE_HTML_H
#define SL_OBSERVE_HTML_H

#include <stdio.h>

#include "base/types.h"
#include "machine/machine.h"

/* Writes document type, head and the beginning of the body, with the title as its heading. */
void sl_html_begin(FILE *f, const char *title);
/* Writes the end of the page, preceded by its origin; NULL: no origin. */
void sl_html_end(FILE *f, const char *origin);

/* Writes escaped text, also valid within a quoted attribute. */
void sl_html_text(FILE *f, const char *text);

/* Writes an element with a text. */
void sl_html_element(FILE *f, const char *element, const char *text);

/* Writes the end of a table. */
void sl_html_end_table(FILE *f);

/* One colour table for pages and drawings: a colour has one meaning in all tables and bars. A machine's stall reasons
 * remain distinguishable with red-green colour blindness, on light and dark displays.
 *
 * Kinds of stall reasons are the classes k0, k1, ... (enum sl_stall_reason_kind), regularities r0 to r2, series of a
 * chart s0 to s5. A chart's legend defines the meaning of its series. */

struct sl_colour {
  const char *light, *dark; /* "#rrggbb" */
  bool striped;             /* same hue as another colour, distinguished by stripes */
};
struct sl_colour sl_palette_reason(enum sl_stall_reason_kind kind);

/* For standalone drawings: writes the classes s0, ... of elements within `scope`, and `only` for charts of one
 * series. */
void sl_palette_series_css(FILE *f, const char *scope);

#endif
