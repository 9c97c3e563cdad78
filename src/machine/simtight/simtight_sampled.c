/* Sampled timing of a SIMTight SM. An instruction takes effect in its execute stage, so after a drain the state is in
 * paths, registers and memory alone. The barrier unit must be in its first state, because the later ones hold a copy of
 * the waiting warps.
 *
 * A compressed register file encodes registers that functional execution has changed as if all lanes had written them
 * last. Vectors without a slot are spilled without taking time. The stack cache and predictions do not change. */
#include <string.h>

#include "machine/simtight/simtight_sm.h"

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
