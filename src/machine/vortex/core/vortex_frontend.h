/* Schedule, fetch and decode of a Vortex core.
 *
 * Timing contract: a warp scheduled in S is not scheduled again before decode, or the instruction in its unit, wakes
 * it. Its request reaches the instruction cache in S + fetch.delay; decoded in D, the instruction can issue in D +
 * decode.delay. */
#ifndef SL_MACHINE_VORTEX_FRONTEND_H
#define SL_MACHINE_VORTEX_FRONTEND_H

#include "machine/vortex/core/vortex_flight.h"

void sl_vortex_schedule(struct sl_vortex_pipeline *core);

/* The cache answers: an instruction has been fetched. False: its buffer is full. */
bool sl_vortex_decode(struct sl_vortex_pipeline *core, uint16_t op);

#endif
