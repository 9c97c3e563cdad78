/* Section garbage collection: finds the sections reachable from the entry and from retained sections. */
#ifndef SL_BACKEND_LINK_LIVE_H
#define SL_BACKEND_LINK_LIVE_H

#include "backend/link/link_state.h"

/* SL_USAGE: a live section refers to an undefined symbol. */
enum sl_status sl_link_live(struct sl_link *link, struct sl_error *err);

#endif
