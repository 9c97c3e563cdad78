/* The unit of independent thread scheduling that selects the lanes of a warp after an event: a branch, an instruction
 * that changes which lanes run, or the warp's start.
 *
 * Timing contract: without the unit the warp could be scheduled in cycle C. The unit serves one event per cycle; an
 * event can be served from C on, and the warp is schedulable its.service cycles after that. Events wait in a FIFO per
 * class; classes take turns, from the one after the last served. A start is served like the others, lowest warp first.
 *
 * Source: Vortex, branch for thread splits, hw/rtl/core/VX_scheduler.sv, commit fcbac91f. */
#ifndef SL_MACHINE_VORTEX_REGROUP_H
#define SL_MACHINE_VORTEX_REGROUP_H

#include "machine/vortex/core/vortex_flight.h"

/* The warp's instruction has been scheduled: whether fetch waits for an event of it. */
void sl_vortex_await_regroup(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);

/* The schedule stage's part. Takes the warps whose events arrive in this cycle out of the woken ones, and serves an
 * event. */
sl_warps sl_vortex_regroup(struct sl_vortex_pipeline *core, sl_warps woken);

/* These warps begin. */
void sl_vortex_regroup_start(struct sl_vortex_pipeline *core, sl_warps warps);

#endif
