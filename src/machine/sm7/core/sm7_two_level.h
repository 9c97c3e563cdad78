/* The two-level scheduler. A scheduler examines only its few active warps. An active warp that has ended, or that waits
 * for a barrier, a memory barrier, an atomic or a register from memory, moves to the end of the pending warps. The
 * first pending warp that does not wait replaces it in the same cycle. */
#ifndef SL_MACHINE_SM7_LEVELS_H
#define SL_MACHINE_SM7_LEVELS_H

#include "machine/sm7/core/sm7_sm.h"

void sl_sm7_levels_init(struct sl_sm7_sm *sm);

/* The active warps of a scheduler in this cycle. */
uint64_t sl_sm7_active(struct sl_sm7_sm *sm, unsigned scheduler);

#endif
