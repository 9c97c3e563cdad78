/* Instructions that have their operands move to the register before their unit. */
#ifndef SL_MACHINE_SM7_DISPATCH_H
#define SL_MACHINE_SM7_DISPATCH_H

#include "machine/sm7/core/sm7_sm.h"

static inline bool sl_sm7_may_move_on(const struct sl_sm7_sm *sm, const struct sl_sm7_op *op)
{
  return op->ready < sm->slept_from && !(sm->execute_full[op->code->unit] >> op->scheduler & 1);
}

static inline void sl_sm7_move_on(struct sl_sm7_sm *sm, unsigned number)
{
  const struct sl_sm7_op *op = &sm->op[number];
  sm->execute_reg[op->code->unit][op->scheduler] = (uint8_t)number;
  sm->execute_full[op->code->unit] |= (uint8_t)(1u << op->scheduler);
}

/* Instructions whose sum of linear registers is complete. */
static inline void sl_sm7_leave_adders(struct sl_sm7_sm *sm)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < sm->sums; i++)
    if (sl_sm7_may_move_on(sm, &sm->op[sm->summing[i]]))
      sl_sm7_move_on(sm, sm->summing[i]);
    else
      sm->summing[kept++] = sm->summing[i];
  sm->sums = (uint8_t)kept;
}

#endif
