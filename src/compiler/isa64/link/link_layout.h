/* Layout of a program by the memory map of runtime/vortex.ld: code at the start address, constants, arrays of
 * constructors and destructors, the initial image of thread-local storage, initialised variables, zeroed variables.
 * After them come __tls_first and __tls_second, the storage of the first two threads. */
#ifndef SL_BACKEND_LINK_LAYOUT_H
#define SL_BACKEND_LINK_LAYOUT_H

#include "compiler/isa64/link/link_state.h"

/* Image of a program: encodes instructions and applies relocations to code and data. */

/* Requires the layout. SL_USAGE: an address is out of range for its place. */
enum sl_status sl_link_image(struct sl_link *link, struct sl_error *err);

/* Returns the address of a symbol in the program; for thread-local storage the address in the initial image. 0 for
 * undefined and dropped symbols. */
uint32_t sl_link_address(const struct sl_link *link, const struct sl_link_ref *ref);

/* Returns symbols that name places in the map, unless a unit defines them; NULL after the last. */
const char *sl_link_map_symbol(size_t i);

/* Assigns addresses to live sections, common symbols and the names above. */
enum sl_status sl_link_layout(struct sl_link *link, struct sl_error *err);

/* Returns ".text" and so on. */
const char *sl_link_output_name(enum sl_link_output output);

#endif
