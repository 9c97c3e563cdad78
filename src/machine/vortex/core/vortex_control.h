/* Warp control unit of a Vortex core: the effect of TMC, WSPAWN, SPLIT, JOIN, BAR and PRED in their unit, and the cycle
 * in which their warps can be scheduled again. func/core_sync.h implements barriers and spawns. */
#ifndef SL_MACHINE_VORTEX_CONTROL_H
#define SL_MACHINE_VORTEX_CONTROL_H

#include "machine/vortex/core/vortex_flight.h"

/* Executes a warp-control instruction that has reached its unit. */
void sl_vortex_control(struct sl_vortex_pipeline *core, uint16_t op);

/* Switches a warp off. */
void sl_vortex_warp_ends(struct sl_vortex_pipeline *core, unsigned warp);

/* Releases warps from a barrier. */
void sl_vortex_pass_barrier(struct sl_vortex_pipeline *core, sl_warps warps);

#endif
