/* The schedulable convergence stack of Vortex (SCS): the IPDOM stack, and beside it groups of lanes that are parked and
 * can run in turn.
 *
 * Lanes that leave a loop by PRED are pending. YIELD parks the lanes that run in a pool and runs the pending ones; if
 * there are none, the lanes at the head of the pool. Lanes that end hand over in the same way. If all lanes of a loop
 * have left it before anybody yields, they go on together, as with the IPDOM stack.
 *
 * The hardware has one set of pending lanes and one stack per warp. So lanes that leave an inner loop while lanes of an
 * outer one are pending, and a change of lanes between SPLIT and JOIN, corrupt the state. A full pool keeps pending
 * lanes waiting, perhaps for ever. mark() reports these unless `unguarded`. If PRED `nests`, as in the authors'
 * simulator, each loop has its own set; the latest runs first.
 *
 * Source: Vortex, branch for thread splits, hw/rtl/core/VX_scheduler.sv and VX_wctl_unit.sv, commit fcbac91f. */
#ifndef SL_CONVERGENCE_SCHEDULABLE_STACK_H
#define SL_CONVERGENCE_SCHEDULABLE_STACK_H

#include "convergence/ipdom_stack.h"

enum { SL_SCS_ENTRIES = SL_IPDOM_MAX / 2 /* of the stack */ };

#endif
