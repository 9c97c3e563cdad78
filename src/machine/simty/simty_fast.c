/* Functional execution on Simty: the same instructions on the same paths. It always runs the path with the deepest call
 * and lowest PC, and serves every lane at once. */
#include "func/blocks/path_blocks.h"

#include <string.h>

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

/* Sampled timing of a Simty core. An instruction takes effect when it commits, so after a drain the state is in paths,
 * registers and memory alone. Prefetched words are dropped. The barrier unit must be in its first state, because the
 * later ones hold a copy of the waiting warps. */

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
