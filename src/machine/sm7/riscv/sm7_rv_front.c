#include "machine/sm7/riscv/sm7_rv_front.h"

#include "machine/sm7/riscv/sm7_rv_execute.h"
#include "machine/sm7/riscv/sm7_rv_linear.h"
#include "machine/sm7/riscv/sm7_rv_livelock.h"

/* Updates of uniform registers without cost: of all warps, or of all but the first of a block. */
static bool pass_updates(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_sm7_passed *passed)
{
  struct sl_sm7_rv *rv = context;
  const struct sl_simt_stack *stack = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)].stack;
  struct sl_sm7_effect effect;
  effect.id = 0;
  if (rv->linear.updates == SL_SM7_UR_BLOCK && warp == 0)
    return true;
  for (uint32_t pc = sl_simt_stack_pc(stack); rv->fact[pc].update; pc = passed->next) {
    if (!sl_sm7_rv_issue(rv, sm, slot, warp, 0, &effect))
      return false;
    passed->instructions++;
    passed->lanes += (uint32_t)__builtin_popcount(effect.counted);
    passed->next = sl_simt_stack_pc(stack);
    passed->straight &= passed->next == pc + 1 + rv->fact[pc].more;
  }
  return true;
}

struct sl_sm7_front sl_sm7_rv_front(struct sl_sm7_rv *rv)
{
  const bool linear = rv->linear.chosen != NULL;
  return (struct sl_sm7_front){.context = rv,
                               .code = rv->fact,
                               .count = rv->code.count,
                               .code_address = sl_code_address(&rv->code, 0),
                               .code_bytes = sizeof(uint32_t),
                               .begin = linear ? sl_sm7_rv_linear_begin : sl_sm7_rv_begin,
                               .report_begun = sl_sm7_rv_report_begun,
                               .lanes = sl_sm7_rv_lanes,
                               .phase = linear ? sl_sm7_rv_phase : NULL,
                               .pass = linear && rv->linear.updates != SL_SM7_UR_WARP ? pass_updates : NULL,
                               .issue = sl_sm7_rv_issue,
                               .spins = sl_sm7_rv_spins};
}
