/* Map of a program as readable text: every output section with its pieces in address order, then every global symbol.
 * docs/explanation/backend.md has an example. */
#ifndef SL_BACKEND_LINK_MAP_H
#define SL_BACKEND_LINK_MAP_H

#include "backend/link/link_bytes.h"
#include "backend/link/link_state.h"

void sl_link_map(const struct sl_link *link, struct sl_link_bytes *text);

#endif
