/* One colour table for pages and drawings: a colour has one meaning in all tables and bars. A machine's stall reasons
 * remain distinguishable with red-green colour blindness, on light and dark displays.
 *
 * Kinds of stall reasons are the classes k0, k1, ... (enum sl_stall_reason_kind), regularities r0 to r2, series of a
 * chart s0 to s5. A chart's legend defines the meaning of its series. */
#ifndef SL_OBSERVE_PALETTE_H
#define SL_OBSERVE_PALETTE_H

#include <stdio.h>

/* For a page: writes custom properties --k0, ... and the classes that fill an element with them. */
void sl_palette_css(FILE *f);

/* For standalone drawings: writes the classes s0, ... of elements within `scope`, and `only` for charts of one
 * series. */
void sl_palette_series_css(FILE *f, const char *scope);

#endif
