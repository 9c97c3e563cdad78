/* Image of a program: encodes instructions and applies relocations to code and data. */
#ifndef SL_BACKEND_LINK_IMAGE_H
#define SL_BACKEND_LINK_IMAGE_H

#include "compiler/isa64/link/link_state.h"

/* Requires the layout. SL_USAGE: an address is out of range for its place. */
enum sl_status sl_link_image(struct sl_link *link, struct sl_error *err);

/* Returns the address of a symbol in the program; for thread-local storage the address in the initial image. 0 for
 * undefined and dropped symbols. */
uint32_t sl_link_address(const struct sl_link *link, const struct sl_link_ref *ref);

#endif
