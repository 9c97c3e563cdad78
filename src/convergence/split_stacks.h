/* The schedulable convergence stack of Vortex as its authors' simulator has it (SCS, a stack per split).
 *
 * A *split* is a group of lanes that runs in turn with others: its lanes, its pc and its own stack of open SPLITs.
 * Lanes that leave a loop by PRED are pending splits of the running one: they join it again if all its lanes leave the
 * loop. YIELD, and lanes that end, first move all pending splits to the end of the pool; then the running lanes go
 * there, and the first split of the pool runs. So lanes may change between SPLIT and JOIN, and loops do not mix.
 *
 * A pending split gets a copy of the stack in the simulator. The lanes that wait in the stack stay with the running
 * split, so that each lane belongs to one split, and the copy lets its lanes pass its JOINs. A copy is therefore a
 * depth alone. Departure: in the simulator both splits resume the lanes that wait, and lanes that leave a loop take
 * those along that have left an outer one.
 *
 * Source: Vortex, branch for thread splits, sim/simx/scheduler.cpp and wctl_unit.cpp, commit fcbac91f. */
#ifndef SL_CONVERGENCE_SPLIT_STACKS_H
#define SL_CONVERGENCE_SPLIT_STACKS_H

#include "convergence/ipdom_stack.h"

enum { SL_SPLIT_LEVELS = SL_MAX_LANES /* open splits of a warp: in each of them a lane waits */ };

#endif
