/* A Simty core as bytes: its state and that of its warps, then the arrays. */
#include "base/state_parts.h"
#include "machine/simty/simty_sm.h"

enum { PARTS = 7 };

/* What points into this process is in none of them. */
static void parts(const struct sl_simty_core *sm, struct sl_state_part part[PARTS])
{
  const struct sl_path_warps *t = &sm->warps;
  part[0] = SL_STATE_OF(sm->s);
  part[1] = SL_STATE_OF(t->s);
  part[2] = sl_state_array(t->x, t->spec.warps * t->warp_words, sizeof *t->x);
  part[3] = sl_state_array(sm->paths, t->spec.warps, sizeof *sm->paths);
  part[4] = sl_state_array(t->code.insn, t->code.count, sizeof *t->code.insn);
  part[6] = SL_STATE_OF(sm->base.turn);
  part[5] = sl_state_array(sm->classes, t->code.count, sizeof *sm->classes);
}

size_t sl_simty_state_bytes(const struct sl_sm *handle)
{
  struct sl_state_part part[PARTS];
  parts(sl_simty_of_const(handle), part);
  return sl_state_parts_size(part, PARTS);
}

void sl_simty_save(const struct sl_sm *handle, uint8_t *bytes)
{
  struct sl_state_part part[PARTS];
  parts(sl_simty_of_const(handle), part);
  sl_state_parts_save(part, PARTS, bytes);
}

void sl_simty_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_state_part part[PARTS];
  parts(sl_simty_of(handle), part);
  sl_state_parts_restore(part, PARTS, bytes);
}
