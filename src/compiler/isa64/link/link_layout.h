/* Layout of a program by the memory map of runtime/vortex.ld: code at the start address, constants, arrays of
 * constructors and destructors, the initial image of thread-local storage, initialised variables, zeroed variables.
 * After them come __tls_first and __tls_second, the storage of the first two threads. */
#ifndef SL_BACKEND_LINK_LAYOUT_H
#define SL_BACKEND_LINK_LAYOUT_H

#include "compiler/isa64/link/link_state.h"

/* Returns symbols that name places in the map, unless a unit defines them; NULL after the last. */
const char *sl_link_map_symbol(size_t i);

/* Assigns addresses to live sections, common symbols and the names above. */
enum sl_status sl_link_layout(struct sl_link *link, struct sl_error *err);

/* Returns ".text" and so on. */
const char *sl_link_output_name(enum sl_link_output output);

#endif
