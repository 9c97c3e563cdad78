/* The bytes of a program: instructions encoded, addresses put into them and into data. */
#ifndef SL_BACKEND_LINK_IMAGE_H
#define SL_BACKEND_LINK_IMAGE_H

#include "backend/link/link_state.h"

/* When the layout is known. SL_USAGE: an address does not do where it is wanted. */
enum sl_status sl_link_image(struct sl_link *link, struct sl_error *err);

/* The address that a symbol has in the program; of thread-local storage that in the image it begins with. 0 for one
 * that is undefined, and for what has been left out. */
uint32_t sl_link_address(const struct sl_link *link, const struct sl_link_ref *ref);

#endif
