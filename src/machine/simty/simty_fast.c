/* Functional execution on Simty: the same instructions on the same paths. It always runs the path with the deepest call
 * and lowest PC, and serves every lane at once. */
#include "func/blocks/path_blocks.h"
#include "machine/simty/simty_sm.h"

/* Executes basic blocks. Returns the number of instructions. */
static uint64_t run_basic_blocks(struct sl_simty_core *sm, unsigned warp, uint64_t instructions)
{
  if (sm->observed)
    sm->basic_blocks.observer.event =
        (struct sl_probe){.launch = sm->s.launches - 1, .warp = warp, .lanes = sm->spec.lanes};
  const struct sl_sorted_blocks_run run =
      sl_sorted_blocks_run(&sm->basic_blocks, &sm->warps, &sm->paths[warp], warp, instructions);
  sm->s.counts.thread_instructions += run.thread_instructions;
  sm->s.counts.executed += run.thread_instructions;
  sm->s.counts.instructions += run.instructions;
  sm->s.counts.pushes_pops += run.stack_uses;
  if (sl_probes_stopped(sm->environment.probes))
    sm->base.state = SL_SM_STOPPED;
  return run.instructions;
}

uint64_t sl_simty_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most)
{
  const unsigned warp = slice->warp;
  const uint64_t instructions = sl_time_slice_most(slice, most);
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct sl_sorted_paths *paths = &sm->paths[warp];
  const sl_warps bit = sl_bit(warp);
  uint64_t done = 0;
  while (done < instructions && sm->s.done_left > 0 && !((sm->s.ended | sm->s.barrier.waiting) & bit)) {
    if ((!sm->drained || paths->cold_count == 0) && !sm->spec.fairness)
      done += run_basic_blocks(sm, warp, instructions - done);
    if (done == instructions)
      break;
    struct sl_simty_effect effect;
    const unsigned lanes = sl_count(paths->running.lanes);
    if (!sl_simty_execute(sm, warp, true, &effect)) {
      sm->base.state = SL_SM_FAULTED;
      break;
    }
    sm->s.counts.thread_instructions += lanes;
    sm->s.counts.instructions++;
    if (paths->cold_count > 0 && !sm->drained)
      sl_sorted_paths_settle(paths);
    done++;
    if (__builtin_expect(sm->base.state == SL_SM_STOPPED, 0))
      break;
  }
  if ((!SL_CHECKS || sl_simty_conserve(sm)) && sm->base.state != SL_SM_FAULTED && sm->s.done_left == 0)
    sm->base.state = SL_SM_DONE;
  slice->left = done < instructions && sm->base.state != SL_SM_STOPPED ? 0 : slice->left - done;
  return done;
}

int sl_simty_next(struct sl_sm *handle, unsigned after)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  const sl_warps released = sl_barrier_open(&sm->s.barrier);
  if (sm->observed)
    sl_simty_report_warps(sm, SL_PROBE_RELEASED, released);
  const sl_warps ready = sl_low_bits(sm->spec.warps) & ~(sm->s.ended | sm->s.barrier.waiting);
  const sl_warps later = ready & ~sl_low_bits(after + 1);
  return ready == 0 ? -1 : (int)sl_lowest(later ? later : ready);
}

void sl_simty_none(struct sl_sm *handle)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  if (sm->s.ended == sl_low_bits(sm->spec.warps))
    sm->base.state = SL_SM_DONE;
  else
    sl_simty_deadlock(sm);
}
