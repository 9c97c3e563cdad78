/* The invariants of a run on Simty, which test builds check at its end. */
#include "machine/simty/simty_sm.h"

const char *sl_simty_broken(const struct sl_simty_core *sm)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < sl_simty_counters.count; i++)
    sum += sl_simty_counters.counter[i].role == SL_COUNTER_STALL_REASON ? sl_simty_counter(&sm->base, i) : 0;
  if (sm->warps.s.timing && sum != sm->s.cycle)
    return "the stall reasons do not sum to the cycles";
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    const char *broken = sl_sorted_paths_broken(&sm->paths[w], sm->warps.all);
    if (broken != NULL)
      return broken;
  }
  return NULL;
}

bool sl_simty_conserve(struct sl_simty_core *sm)
{
  const char *broken = sm->base.state == SL_SM_FAULTED ? NULL : sl_simty_broken(sm);
  if (broken == NULL)
    return true;
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = broken};
  sm->base.state = SL_SM_FAULTED;
  return false;
}
