/* Sampled timing of a Simty core. An instruction takes effect when it commits, so after a drain the state is in paths,
 * registers and memory alone. Prefetched words are dropped. The barrier unit must be in its first state, because the
 * later ones hold a copy of the waiting warps. */
#include <string.h>

#include "machine/simty/simty_sm.h"

static bool pipeline_empty(const struct sl_simty_core *sm)
{
  const struct sl_load_fifo *f = &sm->s.loads;
  for (unsigned i = 0; i < SL_SIMTY_RING; i++)
    if (sm->s.ring[i].valid)
      return false;
  return f->gathered == SL_LOAD_NONE && f->waiting == SL_LOAD_NONE && f->count == 0 && f->finished_count == 0;
}

static bool units_empty(const struct sl_simty_core *sm)
{
  return !sl_multiplier_events_busy(&sm->s.multiplier) && !sl_fpu_busy(&sm->s.fpu) && !sm->s.fpu.consumed &&
         sl_divider_next_event(&sm->s.divider) == INT64_MAX &&
         !sl_scratchpad_events_busy(&sm->s.scratchpad, (int64_t)sm->s.cycle + 1) &&
         sm->s.barrier.state == SL_BARRIER_SNAPSHOT;
}

static bool memory_idle(const struct sl_simty_core *sm)
{
  const struct sl_simty_dram *d = &sm->s.dram;
  return !d->full && d->count == 0 && !d->dram.active && d->dram.in_flight == 0;
}

bool sl_simty_drained(const struct sl_simty_core *sm)
{
  return pipeline_empty(sm) && memory_idle(sm) && (!sm->spec.host || units_empty(sm));
}

void sl_simty_refill(struct sl_simty_core *sm)
{
  struct sl_instruction_fetch *f = &sm->s.fetch;
  f->full = 0;
  memset(f->stage, 0, sizeof f->stage);
  for (unsigned w = 0; w < sm->spec.warps; w++)
    f->pc[w] = sl_path_pc(sm->paths[w].running);
  memset(sm->s.alu_writes, 0, sizeof sm->s.alu_writes);
  sm->s.blocked = 0;
  sm->s.busy = sm->s.barrier.waiting;
  sm->s.waits_for_memory = 0;
  if (sm->s.ended == sl_low_bits(sm->spec.warps)) /* by the last functionally executed instruction */
    sm->base.state = SL_SM_DONE;
}

unsigned sl_simty_population(const struct sl_sm *handle)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  unsigned population = 0;
  for (unsigned w = 0; w < sm->spec.warps; w++)
    population += !(sm->s.ended & sl_bit(w)) && sm->s.done[w] != sm->warps.all;
  return population;
}

uint64_t sl_simty_issued(const struct sl_sm *handle, unsigned warp)
{
  return sl_simty_of_const(handle)->s.counts.by_warp[warp];
}
