/* Instructions that are left out: warps go past them without a slot and without a cycle, as if they had never been
 * fetched. */
#ifndef SL_MACHINE_SM7_CORE_PASS_H
#define SL_MACHINE_SM7_CORE_PASS_H

#include "machine/sm7/core/sm7_sm.h"

/* A warp that lives and does not wait at a barrier goes past what is left out. A fault is noted in sm->failed. */
void sl_sm7_pass(struct sl_sm7_sm *sm, unsigned warp);

#endif
