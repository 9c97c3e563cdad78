/* A SIMTight SM as bytes: its state, its warps' state, then the arrays. */
#include "machine/simtight/simtight_sm.h"

/* No part contains pointers. */
void sl_simtight_parts(const struct sl_simtight_sm *sm, struct sl_state_part part[SL_SIMTIGHT_PARTS])
{
  const struct sl_path_warps *t = &sm->warps;
  part[SL_SIMTIGHT_PART_STATE] = SL_STATE_OF(sm->s);
  part[SL_SIMTIGHT_PART_WARPS] = SL_STATE_OF(t->s);
  part[SL_SIMTIGHT_PART_REGISTERS] = sl_state_array(t->x, t->spec.warps * t->warp_words, sizeof *t->x);
  part[SL_SIMTIGHT_PART_PATHS] = sl_state_array(t->paths, t->spec.warps, sizeof *t->paths);
  part[SL_SIMTIGHT_PART_CODE] = sl_state_array(t->code.insn, t->code.count, sizeof *t->code.insn);
  part[SL_SIMTIGHT_PART_PREDICTED] = sl_state_array(sm->predicted, t->code.count, sizeof *sm->predicted);
  part[SL_SIMTIGHT_PART_TURN] = SL_STATE_OF(sm->base.slice);
}

size_t sl_simtight_state_bytes(const struct sl_sm *handle)
{
  struct sl_state_part part[SL_SIMTIGHT_PARTS];
  sl_simtight_parts(sl_simtight_of_const(handle), part);
  return sl_state_parts_size(part, SL_SIMTIGHT_PARTS);
}

void sl_simtight_save(const struct sl_sm *handle, uint8_t *bytes)
{
  struct sl_state_part part[SL_SIMTIGHT_PARTS];
  sl_simtight_parts(sl_simtight_of_const(handle), part);
  sl_state_parts_save(part, SL_SIMTIGHT_PARTS, bytes);
}

void sl_simtight_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  struct sl_state_part part[SL_SIMTIGHT_PARTS];
  sl_simtight_parts(sm, part);
  sl_state_parts_restore(part, SL_SIMTIGHT_PARTS, bytes);
  for (uint32_t i = 0; i < sm->warps.code.count; i++)
    sm->warps.operands[i] = sl_operands_of(&sm->warps.code.insn[i]);
  sm->warps.code_edition++;
  sl_simtight_reference_lose(sm);
}

uint32_t sl_simtight_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  if (sm->warps.s.timing && (r->stale >> reg & 1))
    return r->base[reg] + lane * r->stride[reg];
  return sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane];
}

uint32_t sl_simtight_pc(const struct sl_sm *handle, unsigned warp, unsigned lane)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_paths *paths = &sm->warps.paths[warp];
  for (unsigned i = 0; i < paths->count; i++)
    if (paths->path[i].lanes & sl_bit(lane))
      return paths->path[i].pc;
  return 0;
}

/* Returns true if no instruction of the warp is in flight: it is in a queue and waits for no result, or execution is
 * functional. */
static bool at_rest(const struct sl_simtight_sm *sm, unsigned warp)
{
  const sl_warps queued = sm->s.queue | sm->s.requeue | sm->s.scalar.queue | sm->s.requeue_scalar;
  return !sm->warps.s.timing || sm->s.state != SL_SM_RUNNING || (queued & ~sm->s.suspension.live) >> warp & 1;
}

bool sl_simtight_set_register(struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (reg == 0)
    return true;
  if (!at_rest(sm, warp))
    return false;
  /* Without timing the entries are unused. But a kernel that has just started may still run with timing. */
  if (sm->spec.compressed && (sm->warps.s.timing || sm->s.counts.instructions == 0))
    return sl_register_file_set(&sm->s.registers, &sm->warps, warp, lane, reg, value, sm->s.cycle);
  sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane] = value;
  return true;
}

bool sl_simtight_set_pc(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t pc)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (!at_rest(sm, warp))
    return false;
  sl_paths_place(&sm->warps.paths[warp], lane, pc);
  return true;
}
