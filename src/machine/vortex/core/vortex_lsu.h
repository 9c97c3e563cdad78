/* The load-store unit of a Vortex core: slots for outstanding loads, the coalescing unit that makes lines of lanes, and
 * local memory with its banks. Delays from stage to stage are keys. */
#ifndef SL_MACHINE_VORTEX_LSU_H
#define SL_MACHINE_VORTEX_LSU_H

#include "machine/vortex/core/vortex_flight.h"

void sl_vortex_lsu(struct sl_vortex_pipeline *core);

/* Sets up the next lines. After the data cache has taken what was set up before. */
void sl_vortex_coalesce(struct sl_vortex_pipeline *core);

/* A line of a load has come, and is at the LSU `delay` cycles later. */
void sl_vortex_line_answered(struct sl_vortex_pipeline *core, uint16_t op, uint64_t delay);

#endif
