/* Where everything is: the memory map of runtime/vortex.ld. Code at the start address, constants, arrays of functions
 * to be called at the beginning and the end, what the threads' storage begins with, variables, and variables that are
 * 0 in the beginning; behind them __tls_first and __tls_second, the first two threads' own storage. */
#ifndef SL_BACKEND_LINK_LAYOUT_H
#define SL_BACKEND_LINK_LAYOUT_H

#include "backend/link/link_state.h"

/* Names that stand for places in the map, unless a unit defines them; NULL behind the last. */
const char *sl_link_map_symbol(size_t i);

/* Places live sections, common symbols and the names above. */
enum sl_status sl_link_layout(struct sl_link *link, struct sl_error *err);

/* ".text" and so on. */
const char *sl_link_output_name(enum sl_link_output output);

#endif
