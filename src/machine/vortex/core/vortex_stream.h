/* Streams of a Vortex core at the ports of the data cache. */
#ifndef SL_MACHINE_VORTEX_STREAM_H
#define SL_MACHINE_VORTEX_STREAM_H

#include "machine/vortex/core/vortex_flight.h"

/* What comes back, and what is asked for next, of which the socket takes what waits at the ports. */
void sl_vortex_stream(struct sl_vortex_pipeline *core);

/* A number for a read on its way through the cache; -1: all are taken. */
int sl_vortex_stream_number(struct sl_vortex_pipeline *core, uint32_t tag);

/* The cache has answered. */
void sl_vortex_stream_answered(struct sl_vortex_pipeline *core, uint32_t number);

#endif
