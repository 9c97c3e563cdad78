/* Multiplier, divider, FPU, scratchpad and barrier of a Simty core in SIMTight's SoC. The published core has none of
 * them.
 *
 * Timing contract: an instruction enters its unit when it commits (issue + 3). Results wait for the gather stage in
 * order of arrival; those of one cycle in the order FPU, multiplier, divider, scratchpad. The gather stage wakes the
 * warp. */
#include "machine/simty/simty_sm.h"

void sl_simty_start_units(struct sl_simty_core *sm, uint32_t warps_per_block)
{
  const struct sl_simty_spec *spec = &sm->spec;
  uint8_t latency[SL_FPU_CLASS_COUNT];
  for (unsigned i = 0; i < SL_FPU_CLASS_COUNT; i++)
    latency[i] = (uint8_t)spec->fpu_latency[i];
  sl_multiplier_events_init(&sm->s.multiplier);
  sl_divider_init(&sm->s.divider, SL_DIVIDER_SEQUENTIAL, SL_DIVIDER_SEQUENTIAL_CYCLES, 1);
  sl_fpu_init(&sm->s.fpu, latency, spec->fpu_limit);
  sl_scratchpad_events_init(&sm->s.scratchpad);
  sm->s.refusals = (struct sl_simty_refusals){.count = 0};
  if (SL_CHECKS)
    sl_simty_reference_start(sm);
  sl_barrier_start(&sm->s.barrier, spec->warps, warps_per_block, SL_BARRIER_SNAPSHOT);
}

bool sl_simty_unit_accepts(const struct sl_simty_core *sm, const struct sl_insn *in)
{
  const int64_t now = (int64_t)sm->s.cycle;
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_MUL: return sl_multiplier_events_can_put(&sm->s.multiplier, now);
  case SL_KIND_DIV: return sl_divider_can_put(&sm->s.divider, now);
  default: return sl_fpu_can_put(&sm->s.fpu);
  }
}

void sl_simty_unit_put(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_response response = sl_response(ex->active, warp, ex->insn->rd);
  const int64_t now = (int64_t)sm->s.cycle;
  switch ((enum sl_kind)ex->insn->kind) {
  case SL_KIND_MUL:
    if (SL_CHECKS)
      sl_simty_reference_multiply(sm, response);
    sl_multiplier_events_put(&sm->s.multiplier, response, now);
    break;
  case SL_KIND_DIV: sl_divider_put(&sm->s.divider, response, now); break;
  default: sl_fpu_put(&sm->s.fpu, ex->insn, response); break;
  }
}

static void finish(struct sl_simty_core *sm, struct sl_response response)
{
  sl_load_fifo_finish(&sm->s.loads, sl_response_warp(response));
}

/* Takes the oldest product. */
static void finish_product(struct sl_simty_core *sm, int64_t now)
{
  const struct sl_response product = sl_multiplier_events_oldest(&sm->s.multiplier);
  sl_multiplier_events_take(&sm->s.multiplier, now);
  finish(sm, product);
}

void sl_simty_units(struct sl_simty_core *sm)
{
  const int64_t now = (int64_t)sm->s.cycle;
  if (SL_CHECKS)
    sl_simty_reference_cycle(sm, now);
  if (sm->s.fpu.response.full)
    finish(sm, sl_fpu_take(&sm->s.fpu));
  if (sm->s.multiplier.product < now)
    finish_product(sm, now);
  if (sl_divider_can_take(&sm->s.divider, now))
    finish(sm, sl_divider_take(&sm->s.divider, now));
  if (sl_scratchpad_events_can_take(&sm->s.scratchpad, now))
    finish(sm, sl_scratchpad_events_take(&sm->s.scratchpad, now));
  if (sl_fpu_busy(&sm->s.fpu) || sm->s.fpu.consumed)
    sl_fpu_cycle(&sm->s.fpu, now);
  if (SL_CHECKS)
    sl_simty_reference_compare(sm, now);
  const sl_warps released = sl_barrier_cycle(&sm->s.barrier, false);
  sm->s.busy &= ~released;
  if (__builtin_expect(sm->observed, 0)) {
    sl_simty_report_warps(sm, SL_PROBE_RELEASED, released);
    sl_simty_report_warps(sm, SL_PROBE_RETIRED, released);
  }
}

bool sl_simty_deadlocked(const struct sl_simty_core *sm)
{
  const struct sl_barrier *b = &sm->s.barrier;
  if (!b->waiting || (b->waiting | sm->s.ended) != sl_low_bits(b->warps) || b->state != SL_BARRIER_SNAPSHOT)
    return false;
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step)
    if (((b->waiting >> first) & sl_low_bits(step)) == sl_low_bits(step))
      return false;
  return true;
}

void sl_simty_deadlock(struct sl_simty_core *sm)
{
  const unsigned warp = sl_lowest(sm->s.barrier.waiting);
  const struct sl_ordered_path path = sm->paths[warp].running;
  sm->warps.fault =
      (struct sl_fault){.kind = SL_FAULT_DEADLOCK, .warp = (int)warp, .lanes = path.lanes, .pc = sl_path_pc(path) - 4};
  const uint32_t index = sl_code_index(&sm->warps.code, sl_code_before(&sm->warps.code, sl_path_pc(path)));
  if (index < sm->warps.code.count)
    sm->warps.fault.insn = sm->warps.code.insn[index];
  sm->base.state = SL_SM_FAULTED;
}
