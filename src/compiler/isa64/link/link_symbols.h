/* Symbol resolution: selects the units of a program and resolves their symbols. */
#ifndef SL_BACKEND_LINK_SYMBOLS_H
#define SL_BACKEND_LINK_SYMBOLS_H

#include "compiler/isa64/link/link_state.h"

/* Adds the units, then the archive members that they need. The link's options must be set. */
enum sl_status sl_link_symbols(struct sl_link *link, const struct sl_object64 *objects, size_t count,
                               struct sl_error *err);

#endif
