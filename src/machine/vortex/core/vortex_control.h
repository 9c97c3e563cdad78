/* Warp control of a Vortex core: what TMC, WSPAWN, SPLIT, JOIN, BAR and PRED do when they reach their unit, and when
 * their warps can be scheduled again. Who waits for whom is in warp/gang.h. */
#ifndef SL_MACHINE_VORTEX_CONTROL_H
#define SL_MACHINE_VORTEX_CONTROL_H

#include "machine/vortex/core/vortex_flight.h"

/* The instruction is in its unit. */
void sl_vortex_control(struct sl_vortex_pipeline *core, uint16_t op);

/* A warp is switched off. */
void sl_vortex_warp_ends(struct sl_vortex_pipeline *core, unsigned warp);

/* Warps leave a barrier. */
void sl_vortex_pass_barrier(struct sl_vortex_pipeline *core, sl_warps warps);

#endif
