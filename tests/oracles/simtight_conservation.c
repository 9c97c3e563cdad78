/* The invariants of a run on SIMTight, which test builds check at the end of each kernel. */
#include <stdlib.h>
#include <string.h>

#include "machine/simtight/simtight_sm.h"

enum { DRAIN_CYCLES = 1 << 20 /* far more cycles than a full memory path needs */ };

/* Drains a copy of the memory path, because stores may be in flight when a kernel ends. */
static const char *drain(const struct sl_simtight_sm *sm)
{
  struct sl_simtight_sm *copy = aligned_alloc(SL_CACHE_LINE, sizeof *copy);
  if (copy == NULL)
    return NULL;
  memcpy(copy, sm, sizeof *copy);
  bool busy = true;
  struct sl_request_path *path = &copy->s.path;
  for (unsigned i = 0; i < DRAIN_CYCLES && busy; i++) {
    if (sl_request_path_can_answer(path, copy->s.cycle))
      sl_request_path_answer(path, copy->s.cycle);
    sl_request_path_cycle(path, copy->warps.ops, &copy->s.stack_cache, copy->s.cycle++);
    busy = sl_request_path_busy(path, copy->s.cycle);
  }
  const char *broken = busy                   ? "the memory path does not drain"
                       : path->dram.open != 0 ? "no request awaits the outstanding DRAM beats"
                       : path->free_count != copy->spec.fifo_depth + SL_REQUEST_SPARE ? "a memory request was lost"
                                                                                      : NULL;
  free(copy);
  return broken;
}

/* Registers that hold a slot of the vector register file. */
static unsigned vectors(const struct sl_simtight_sm *sm)
{
  unsigned sum = 0;
  for (unsigned w = 0; w < sm->spec.warps; w++)
    sum += sl_count(sm->s.registers.warp[w].vector);
  return sum;
}

const char *sl_simtight_broken(const struct sl_simtight_sm *sm)
{
  uint64_t slots = 0;
  for (unsigned i = 0; i < SL_SLOT_COUNT; i++)
    slots += sm->s.counts.slots[i];
  if (slots != (uint64_t)sm->s.cycle)
    return "the stall reasons do not sum to the cycles";
  if (sm->s.counts.requested != sm->s.path.answered)
    return "a lane that waited for memory was not answered";
  if (sm->spec.compressed && sm->s.registers.free_count + vectors(sm) != sm->s.registers.spec.slots)
    return "vector slots were lost";
  if (sm->s.in_pipeline != 0 || sm->s.suspension.live != 0)
    return "instructions are in flight after the last warp has ended";
  return drain(sm);
}

void sl_simtight_conserve(struct sl_simtight_sm *sm)
{
  const char *broken = sl_simtight_broken(sm);
  if (broken == NULL)
    return;
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = broken};
  sm->base.state = SL_SM_FAULTED;
}
