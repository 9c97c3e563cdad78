/* Which units a program is made of, and what their symbols mean. */
#ifndef SL_BACKEND_LINK_SYMBOLS_H
#define SL_BACKEND_LINK_SYMBOLS_H

#include "backend/link/link_state.h"

/* Takes the units, then what they need from archives. The link's options are set. */
enum sl_status sl_link_symbols(struct sl_link *link, const struct sl_object64 *objects, size_t count,
                               struct sl_error *err);

#endif
