/* Eliminated instructions: warps skip them without an issue slot and without a cycle, as if they had never been
 * fetched. */
#ifndef SL_MACHINE_SM7_CORE_PASS_H
#define SL_MACHINE_SM7_CORE_PASS_H

#include "machine/sm7/core/sm7_sm.h"

/* Skips eliminated instructions of a live warp that does not wait at a barrier. Sets sm->failed on a fault. */
void sl_sm7_pass(struct sl_sm7_sm *sm, unsigned warp);

#endif
