/* Independent thread scheduling of Vortex (ITS): a pc per lane.
 *
 * The lanes at the lowest pc run, among those that are neither at a convergence barrier nor have yielded. Branches and
 * indirect jumps part lanes. A group that runs meets others only when it branches, yields or waits: the lowest pc is
 * selected then, as in the hardware. Lanes that have yielded run again when no other lane can. SPLIT, JOIN and PRED
 * have no effect.
 *
 * Lanes join a barrier by BARRIER and wait there by WAIT until all that have joined it have arrived, yielded or ended.
 *
 * Source: Vortex, branch for thread splits, hw/rtl/core/VX_scheduler.sv, commit fcbac91f. */
#ifndef SL_CONVERGENCE_THREAD_SCHEDULING_H
#define SL_CONVERGENCE_THREAD_SCHEDULING_H

#include "convergence/ipdom_stack.h"

enum { SL_ITS_BARRIERS = 32 /* of a warp, at most */ };

#endif
