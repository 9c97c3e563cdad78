/* The colours of what pages and drawings show, one table for all: a colour means one thing in all tables and bars, and
 * no two of a machine's causes look alike to readers who do not see red and green apart, on light and dark displays.
 *
 * Kinds of causes are the classes k0, k1, ... (enum sl_cause_kind), regularities r0 to r2, series of a chart s0 to s5.
 * Those of charts only tell what its legend says. */
#ifndef SL_OBSERVE_PALETTE_H
#define SL_OBSERVE_PALETTE_H

#include <stdio.h>

/* Of a page: custom properties --k0, ... and the classes that fill an element with them. */
void sl_palette_css(FILE *f);

/* Of drawings, which may stand alone: the classes s0, ... of elements within `scope`, and `only` of what has one
 * series. */
void sl_palette_series_css(FILE *f, const char *scope);

#endif
