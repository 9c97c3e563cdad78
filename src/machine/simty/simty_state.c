/* A Simty core as bytes: its state, its warps' state, then the arrays. */
#include "machine/simty/simty_reference.h"
#include "machine/simty/simty_sm.h"

/* No part contains pointers. */
void sl_simty_parts(const struct sl_simty_core *sm, struct sl_state_part part[SL_SIMTY_PARTS])
{
  const struct sl_path_warps *t = &sm->warps;
  part[SL_SIMTY_PART_STATE] = SL_STATE_OF(sm->s);
  part[SL_SIMTY_PART_WARPS] = SL_STATE_OF(t->s);
  part[SL_SIMTY_PART_REGISTERS] = sl_state_array(t->x, t->spec.warps * t->warp_words, sizeof *t->x);
  part[SL_SIMTY_PART_PATHS] = sl_state_array(sm->paths, t->spec.warps, sizeof *sm->paths);
  part[SL_SIMTY_PART_CODE] = sl_state_array(t->code.insn, t->code.count, sizeof *t->code.insn);
  part[SL_SIMTY_PART_TURN] = SL_STATE_OF(sm->base.slice);
}

size_t sl_simty_state_bytes(const struct sl_sm *handle)
{
  struct sl_state_part part[SL_SIMTY_PARTS];
  sl_simty_parts(sl_simty_of_const(handle), part);
  return sl_state_parts_size(part, SL_SIMTY_PARTS);
}

void sl_simty_save(const struct sl_sm *handle, uint8_t *bytes)
{
  struct sl_state_part part[SL_SIMTY_PARTS];
  sl_simty_parts(sl_simty_of_const(handle), part);
  sl_state_parts_save(part, SL_SIMTY_PARTS, bytes);
}

void sl_simty_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct sl_state_part part[SL_SIMTY_PARTS];
  sl_simty_parts(sm, part);
  sl_state_parts_restore(part, SL_SIMTY_PARTS, bytes);
  sl_simty_reference_lose(sm);
  for (uint32_t i = 0; i < sm->warps.code.count; i++)
    sm->classes[i] = sl_simty_classify(&sm->warps.code.insn[i]);
}
