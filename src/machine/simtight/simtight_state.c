/* A SIMTight SM as bytes: its state and that of its warps, then the arrays. */
#include "base/state_parts.h"
#include "machine/simtight/simtight_sm.h"

enum { PARTS = 8 };

/* What points into this process is in none of them. */
static void parts(const struct sl_simtight_sm *sm, struct sl_state_part part[PARTS])
{
  const struct sl_path_warps *t = &sm->warps;
  part[0] = SL_STATE_OF(sm->s);
  part[1] = SL_STATE_OF(t->s);
  part[2] = sl_state_array(t->x, t->spec.warps * t->warp_words, sizeof *t->x);
  part[3] = sl_state_array(t->paths, t->spec.warps, sizeof *t->paths);
  part[4] = sl_state_array(t->code.insn, t->code.count, sizeof *t->code.insn);
  part[5] = sl_state_array(t->operands, t->code.count, sizeof *t->operands);
  part[7] = SL_STATE_OF(sm->base.turn);
  part[6] = sl_state_array(sm->predicted, t->code.count, sizeof *sm->predicted);
}

size_t sl_simtight_state_bytes(const struct sl_sm *handle)
{
  struct sl_state_part part[PARTS];
  parts(sl_simtight_of_const(handle), part);
  return sl_state_parts_size(part, PARTS);
}

void sl_simtight_save(const struct sl_sm *handle, uint8_t *bytes)
{
  struct sl_state_part part[PARTS];
  parts(sl_simtight_of_const(handle), part);
  sl_state_parts_save(part, PARTS, bytes);
}

void sl_simtight_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_state_part part[PARTS];
  parts(sl_simtight_of(handle), part);
  sl_state_parts_restore(part, PARTS, bytes);
  sl_simtight_of(handle)->warps.code_edition++;
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

/* No instruction of the warp is under way: it is in a queue and waits for no result, or time does not pass. */
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
  /* Without timing the entries mean nothing, but nobody knows yet how a kernel that has just been started will run. */
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
