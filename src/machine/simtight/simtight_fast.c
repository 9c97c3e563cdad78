/* Functional execution on SIMTight: the same instructions on the same threads, by basic blocks unless there is an
 * observer. A barrier opens when all warps of a block have arrived. */
#include "machine/simtight/simtight_sm.h"

static void command(struct sl_simtight_sm *sm, unsigned warp, uint32_t command)
{
  sl_simtight_command(sm, warp, command);
  sm->s.queue &= ~sl_bit(warp);
}

/* Executes basic blocks. Returns the number of instructions. */
static uint64_t run_basic_blocks(struct sl_simtight_sm *sm, struct sl_time_slice *slice, uint64_t most)
{
  const struct sl_path_blocks_run run = sl_path_blocks_run(&sm->basic_blocks, &sm->warps, slice, most);
  sm->s.counts.thread_instructions += run.thread_instructions;
  sm->s.counts.instructions += run.instructions;
  if (run.commands)
    command(sm, slice->warp, run.command);
  return run.instructions;
}

/* Executes one instruction of the warp. */
static void step(struct sl_simtight_sm *sm, struct sl_time_slice *slice)
{
  struct sl_path_warps *t = &sm->warps;
  unsigned path;
  struct sl_execution ex;
  enum sl_effect effect = SL_EFFECT_FAULT;
  if (sl_path_warps_fetch(t, slice->warp, &path, &ex))
    effect = sl_path_execute(t, slice->warp, path, &ex, &sm->s.functional_request);
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(t, slice->warp)) {
    sm->s.state = SL_SM_FAULTED;
    return;
  }
  slice->left = sl_time_slice_after(slice->left, 1, sl_time_slice_may_end(ex.insn));
  sm->s.counts.thread_instructions += sl_count(ex.active);
  sm->s.counts.instructions++;
  if (sm->observed)
    sl_simtight_report(sm, slice->warp, &ex, &sm->s.functional_request);
  if (effect == SL_EFFECT_COMMAND)
    command(sm, slice->warp, ex.command);
}

uint64_t sl_simtight_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  uint64_t done = 0;
  while (done < most && slice->left > 0 && sm->s.state == SL_SM_RUNNING) {
    if (!(sm->s.queue >> slice->warp & 1)) {
      slice->left = 0;
      break;
    }
    const uint64_t run = run_basic_blocks(sm, slice, most - done);
    done += run;
    if (done == most || slice->left == 0 || !(sm->s.queue >> slice->warp & 1))
      continue;
    step(sm, slice);
    done += sm->s.state != SL_SM_FAULTED;
  }
  return done;
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
