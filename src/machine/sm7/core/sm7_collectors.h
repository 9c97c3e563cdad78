/* Operand collectors. An instruction waits in a collector until its register operands have been read. Each bank
 * delivers one operand per step; a bank that was written in this cycle delivers none in its first step. In a step,
 * complete instructions move to their unit's register, banks read, and instructions from the issue registers take free
 * collectors. */
#ifndef SL_MACHINE_SM7_COLLECTORS_H
#define SL_MACHINE_SM7_COLLECTORS_H

#include "machine/sm7/core/sm7_sm.h"

void sl_sm7_collect(struct sl_sm7_sm *sm);

/* Whether an instruction is in a collector or waits for one. */
bool sl_sm7_is_any_collecting(const struct sl_sm7_sm *sm);

#endif
