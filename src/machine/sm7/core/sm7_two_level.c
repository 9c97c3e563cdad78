#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_warps.h"

void sl_sm7_levels_init(struct sl_sm7_sm *sm)
{
  const struct sl_sm7_spec *s = sm->wire.spec;
  for (unsigned w = 0; w < s->warps; w++) {
    struct sl_sm7_levels *l = &sm->levels[w % s->schedulers];
    if (w / s->schedulers < s->active)
      l->active |= sl_sm7_bit(w);
    else
      l->pending[l->count++] = (uint8_t)w;
  }
}

/* Removes the first pending warp of a set from the list. */
static unsigned promote(struct sl_sm7_levels *l, uint64_t set)
{
  unsigned at = 0;
  while (!(set & sl_sm7_bit(l->pending[at])))
    at++;
  const unsigned warp = l->pending[at];
  for (l->count--; at < l->count; at++)
    l->pending[at] = l->pending[at + 1];
  return warp;
}

uint64_t sl_sm7_active(struct sl_sm7_sm *sm, unsigned scheduler)
{
  struct sl_sm7_levels *l = &sm->levels[scheduler];
  const uint64_t waiting = ~sm->live | sm->barrier | sm->atomic | sm->fence | (sm->hazard & sm->on_load);
  for (uint64_t rest = l->active & waiting; rest; rest &= rest - 1)
    l->pending[l->count++] = (uint8_t)__builtin_ctzll(rest);
  l->active &= ~waiting;
  uint64_t able = sm->of_scheduler[scheduler] & ~waiting & ~l->active;
  for (unsigned n = (unsigned)__builtin_popcountll(l->active); n < sm->wire.spec->active && able; n++) {
    const uint64_t bit = sl_sm7_bit(promote(l, able));
    l->active |= bit;
    able &= ~bit;
  }
  return l->active;
}
