/* Which sections a program needs: those that the entry, what is kept, and what these refer to are in. */
#ifndef SL_BACKEND_LINK_LIVE_H
#define SL_BACKEND_LINK_LIVE_H

#include "backend/link/link_state.h"

/* SL_USAGE: one of them refers to a symbol that nobody defines. */
enum sl_status sl_link_live(struct sl_link *link, struct sl_error *err);

#endif
