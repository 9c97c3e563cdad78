/* Functional execution on SIMTight: the same instructions on the same threads, by basic blocks unless there is an
 * observer. A barrier opens when all warps of a block have arrived. */
#include <string.h>

#include "machine/simtight/simtight_sm.h"

/* Sampled timing of a SIMTight SM. An instruction takes effect in its execute stage, so after a drain the state is in
 * paths, registers and memory alone. The barrier unit must be in its first state, because the later ones hold a copy of
 * the waiting warps.
 *
 * A compressed register file encodes registers that functional execution has changed as if all lanes had written them
 * last. Vectors without a slot are spilled without taking time. The stack cache and predictions do not change. */

static bool units_empty(const struct sl_simtight_sm *sm)
{
  return !sl_multiplier_events_busy(&sm->s.multiplier) && !sl_fpu_busy(&sm->s.fpu) && !sm->s.fpu.consumed &&
         sl_divider_next_event(&sm->s.divider) == INT64_MAX;
}

/* Returns true if the compressed register file and the scalar pipeline have no work in flight. */
static bool compressed_empty(const struct sl_simtight_sm *sm)
{
  const struct sl_response *s = sm->s.settling;
  const struct sl_scalar_pipeline *p = &sm->s.scalar;
  return !(s[0].lanes | s[1].lanes | s[2].lanes | s[3].lanes) && sm->s.evicted < 0 && !sm->s.requeue_scalar &&
         !sm->s.spill.spilling && sl_register_file_settled(&sm->s.registers) && sl_scalar_idle(p) &&
         p->divider.count == 0;
}

bool sl_simtight_drained(const struct sl_simtight_sm *sm)
{
  const struct sl_suspension *s = &sm->s.suspension;
  if (sm->spec.compressed && !compressed_empty(sm))
    return false;
  return sm->s.in_pipeline == 0 && !sm->s.requeue && !sm->s.result.lanes && sm->s.resume.full == 0 && !s->live &&
         !s->registered && sm->s.barrier.state == SL_BARRIER_SNAPSHOT && units_empty(sm) &&
         !sl_request_path_busy(&sm->s.path, sm->s.cycle);
}

void sl_simtight_unpack(struct sl_simtight_sm *sm)
{
  for (unsigned w = 0; w < sm->spec.warps; w++)
    sl_register_file_expand(&sm->s.registers, &sm->warps, w, UINT32_MAX);
  sm->s.queue |= sm->s.scalar.queue;
  sm->s.scalar.queue = 0;
  sm->s.scalar.resident = 0;
  sl_scalar_clock(&sm->s.scalar);
}

/* Writes the values of spilled registers to their memory. */
static void write_spilled(struct sl_simtight_sm *sm, unsigned warp)
{
  const uint32_t *x = sl_path_warps_registers(&sm->warps, warp), bytes = 4u << sm->warps.lane_bits;
  const uint32_t first = sl_simtight_spill_base(&sm->spec) + warp * SL_REGISTERS * bytes;
  for (uint32_t rest = sm->s.registers.warp[warp].spilled; rest; rest &= rest - 1) {
    const unsigned reg = sl_lowest(rest);
    memcpy(sl_memory_at(sm->warps.memory, first + reg * bytes), x + ((size_t)reg << sm->warps.lane_bits), bytes);
  }
}

void sl_simtight_pack(struct sl_simtight_sm *sm)
{
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    const bool ended = sm->s.ended & sl_bit(w);
    const unsigned kept = ended ? sm->s.registers.spec.slots : sm->can_spill ? sm->s.spill.threshold : 0;
    sl_register_file_gather(&sm->s.registers, &sm->warps, w, kept);
    if (sm->spec.free_ended && ended)
      sl_register_file_abandon(&sm->s.registers, w, sm->s.cycle);
    write_spilled(sm, w);
  }
  sl_register_file_settle(&sm->s.registers);
  sm->s.suspects = sm->s.slot_suspended = 0;
}

unsigned sl_simtight_population(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  return sm->spec.warps - sl_count(sm->s.ended);
}

uint64_t sl_simtight_issued(const struct sl_sm *handle, unsigned warp)
{
  return sl_simtight_of_const(handle)->s.counts.by_warp[warp];
}

static void command(struct sl_simtight_sm *sm, unsigned warp, uint32_t command)
{
  sl_simtight_command(sm, warp, command);
  sm->s.queue &= ~sl_bit(warp);
}

/* Executes basic blocks. Returns the number of instructions. */
static uint64_t run_basic_blocks(struct sl_simtight_sm *sm, struct sl_time_slice *slice, uint64_t most)
{
  if (sm->observed)
    sm->basic_blocks.observer.event =
        (struct sl_probe){.launch = sm->s.launches - 1, .warp = slice->warp, .lanes = sm->spec.lanes};
  const struct sl_path_blocks_run run = sl_path_blocks_run(&sm->basic_blocks, &sm->warps, slice, most);
  if (sl_probes_stopped(sm->environment.probes))
    sm->base.state = SL_SM_STOPPED;
  sm->s.counts.thread_instructions += run.thread_instructions;
  sm->s.counts.instructions += run.instructions;
  if (run.commands && sm->observed) /* all lanes have executed it, and are behind it */
    sm->s.account.last[slice->warp] = sl_code_before(&sm->warps.code, sm->warps.paths[slice->warp].path[0].pc);
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
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(t, slice->warp, ex.active)) {
    sm->base.state = SL_SM_FAULTED;
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
  while (done < most && slice->left > 0 && sm->base.state == SL_SM_RUNNING) {
    if (!(sm->s.queue >> slice->warp & 1)) {
      slice->left = 0;
      break;
    }
    const uint64_t run = run_basic_blocks(sm, slice, most - done);
    done += run;
    if (done == most || slice->left == 0 || !(sm->s.queue >> slice->warp & 1))
      continue;
    step(sm, slice);
    done += sm->base.state != SL_SM_FAULTED;
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
    sm->base.state = SL_SM_DONE;
  else
    sl_simtight_deadlock(sm);
}
