/* The two-level scheduler: a scheduler looks at its active warps only, of which there are a few. One that has ended, or
 * waits for a barrier, a memory barrier, an atomic or a register from memory, goes to the end of the pending ones, and
 * the first of those that does not wait takes its place, in the same cycle. */
#ifndef SL_MACHINE_SM7_LEVELS_H
#define SL_MACHINE_SM7_LEVELS_H

#include "machine/sm7/core/sm7_sm.h"

void sl_sm7_levels_init(struct sl_sm7_sm *sm);

/* The active warps of a scheduler in this cycle. */
uint64_t sl_sm7_active(struct sl_sm7_sm *sm, unsigned scheduler);

#endif
