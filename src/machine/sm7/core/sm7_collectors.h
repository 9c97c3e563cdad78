/* Operand collectors: instructions wait in one until their register operands have been read, one operand per bank and
 * step; a bank that was written in the cycle gives none in its first step. A step: instructions that have all operands
 * move on to their unit's register, banks read, instructions from the issue registers take free collectors. */
#ifndef SL_MACHINE_SM7_COLLECTORS_H
#define SL_MACHINE_SM7_COLLECTORS_H

#include "machine/sm7/core/sm7_sm.h"

void sl_sm7_collect(struct sl_sm7_sm *sm);

/* Whether an instruction is in a collector or waits for one. */
bool sl_sm7_is_any_collecting(const struct sl_sm7_sm *sm);

#endif
