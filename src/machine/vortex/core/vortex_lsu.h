/* The load-store unit of a Vortex core: slots for outstanding loads, the coalescing unit that combines lanes into line
 * requests, and banked local memory. Keys give the delays between stages. */
#ifndef SL_MACHINE_VORTEX_LSU_H
#define SL_MACHINE_VORTEX_LSU_H

#include "machine/vortex/core/vortex_flight.h"

void sl_vortex_lsu(struct sl_vortex_pipeline *core);

/* Sets up the next line requests. Call it after the data cache has taken the previous ones. */
void sl_vortex_coalesce(struct sl_vortex_pipeline *core);

/* Delivers a line of a load; it reaches the LSU `delay` cycles later. */
void sl_vortex_line_answered(struct sl_vortex_pipeline *core, uint16_t op, uint64_t delay);

#endif
