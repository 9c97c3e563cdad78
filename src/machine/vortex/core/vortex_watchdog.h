/* The timed part of the watchdog of parked lanes (func/ipdom_marks.h): back-off; and the cycles in which a warp is
 * absent because its lanes change.
 *
 * Timing contract: the watchdog acts when a warp is chosen, before its instruction is read, and takes no time. A warp
 * that backs off executes the chosen instruction. Then it lets scs.backoff cycles pass in which it could be scheduled,
 * and is chosen in the last of them.
 *
 * Source: Vortex, sim/simx/scheduler.cpp, commit fcbac91f. */
#ifndef SL_MACHINE_VORTEX_WATCHDOG_H
#define SL_MACHINE_VORTEX_WATCHDOG_H

#include "machine/vortex/core/vortex_flight.h"

/* The warp has been chosen. Its pc and lanes may change. */
void sl_vortex_watch_progress(struct sl_vortex_pipeline *core, unsigned warp);

/* Takes the warps that back off out of the woken ones, and wakes them later. */
sl_warps sl_vortex_back_off(struct sl_vortex_pipeline *core, sl_warps woken);

/* From a cycle to before another the warp cannot be scheduled because its lanes change, or because it backs off. */
void sl_vortex_absent(struct sl_vortex_pipeline *core, unsigned warp, uint64_t from, uint64_t to);

/* The warps that are absent in this cycle. */
sl_warps sl_vortex_absent_warps(const struct sl_vortex_pipeline *core);

#endif
