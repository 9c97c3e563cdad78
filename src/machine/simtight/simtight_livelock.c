/* Livelock detection for a SIMTight SM, periodically between cycles. */
#include <string.h>

#include "func/warp_livelock.h"
#include "machine/simtight/simtight_sm.h"

/* Expands register values that only the compressed register file holds, including a computed value that is not written
 * yet. */
static void expand(struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  struct sl_path_warps *t = &sm->warps;
  uint32_t *x = sl_path_warps_registers(t, warp);
  for (uint32_t rest = r->stale & ~UINT32_C(1); rest; rest &= rest - 1) {
    const unsigned reg = sl_lowest(rest);
    t->ops->fill(x + ((size_t)reg << t->lane_bits), r->base[reg], r->stride[reg], t->spec.lanes);
  }
  if (r->result.once)
    t->ops->fill(x + ((size_t)r->result.rd << t->lane_bits), r->result.base, r->result.stride, t->spec.lanes);
}

/* Returns true if the warp spins. Restores its state. */
static bool spins(void *context, unsigned warp, struct sl_spin *spin)
{
  struct sl_simtight_sm *sm = context;
  struct sl_path_warps *t = &sm->warps;
  uint32_t *x = sl_path_warps_registers(t, warp), before[SL_REGISTERS * SL_MAX_LANES];
  const size_t bytes = (size_t)SL_REGISTERS * t->spec.lanes * sizeof *x;
  const bool expands = sm->spec.compressed && t->s.timing;
  if (!expands)
    return sl_path_warp_spins(t, warp, spin);
  memcpy(before, x, bytes);
  expand(sm, warp);
  const bool result = sl_path_warp_spins(t, warp, spin);
  memcpy(x, before, bytes);
  return result;
}

void sl_simtight_check_livelock(struct sl_sm *handle)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  const sl_warps running = sl_low_bits(sm->spec.warps) & ~sm->s.ended & ~sm->s.barrier.waiting;
  if (sl_barrier_opening(&sm->s.barrier) || !sl_path_livelock(&sm->warps, running, 0, spins, sm, &fault))
    return;
  fault.cycle = sm->warps.s.timing ? (uint64_t)sm->s.cycle : 0;
  sm->warps.fault = fault;
  sm->s.state = SL_SM_FAULTED;
}
