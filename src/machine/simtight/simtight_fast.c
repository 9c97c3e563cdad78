/* SIMTight without timing: the same instructions on the same threads, in stretches while nobody listens. A barrier
 * opens when all warps of a block have arrived. */
#include "machine/simtight/simtight_sm.h"

/* The instructions that need no look at each: how many they were. */
static uint64_t run_stretches(struct sl_simtight_sm *sm, unsigned warp, uint64_t instructions)
{
  const struct sl_path_blocks_run run = sl_path_blocks_run(&sm->stretches, &sm->warps, warp, instructions);
  sm->s.counts.thread_instructions += run.thread_instructions;
  sm->s.counts.instructions += run.instructions;
  return run.instructions;
}

uint64_t sl_simtight_run_warp(struct sl_sm *handle, unsigned warp, uint64_t instructions)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  struct sl_path_warps *t = &sm->warps;
  for (uint64_t done = 0; done < instructions; done++) {
    unsigned path;
    struct sl_execution ex;
    enum sl_effect effect = SL_EFFECT_FAULT;
    if (!(sm->s.queue >> warp & 1))
      return done;
    done += run_stretches(sm, warp, instructions - done);
    if (done == instructions)
      return done;
    if (sl_path_warps_fetch(t, warp, &path, &ex))
      effect = sl_path_execute(t, warp, path, &ex, &sm->s.functional_request);
    if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(t, warp)) {
      sm->s.state = SL_SM_FAULTED;
      return done;
    }
    sm->s.counts.thread_instructions += sl_count(ex.active);
    sm->s.counts.instructions++;
    if (sm->observed)
      sl_simtight_report(sm, warp, &ex, &sm->s.functional_request);
    if (effect == SL_EFFECT_COMMAND) {
      sl_simtight_command(sm, warp, ex.command);
      sm->s.queue &= ~sl_bit(warp);
    }
    if (sm->s.state == SL_SM_STOPPED)
      return done + 1;
  }
  return instructions;
}

int sl_simtight_next(struct sl_sm *handle, unsigned after)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  const sl_warps released = sl_barrier_open(&sm->s.barrier);
  sm->s.queue |= released;
  if (sm->observed)
    sl_simtight_report_released(sm, released);
  const sl_warps ready = sm->s.queue, later = ready & ~sl_low_bits(after + 1);
  return ready == 0 ? -1 : (int)sl_lowest(later ? later : ready);
}

void sl_simtight_none(struct sl_sm *handle)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (sm->s.ended == sl_low_bits(sm->spec.warps))
    sm->s.state = SL_SM_DONE;
  else
    sl_simtight_deadlock(sm);
}
