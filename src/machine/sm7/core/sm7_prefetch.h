/* Prefetching for the host. The state of a large GPU, some 100 MB, does not fit the host's caches, and the SMs are
 * simulated in turn, so that each finds its state gone. While an SM is simulated, the host therefore loads what the
 * next two will need: first the SM's own fields, then the warps that its schedulers will probably choose. Within an
 * SM's cycle it loads the registers of those warps. Nothing here changes the state of the GPU. */
#ifndef SL_MACHINE_SM7_CORE_SM7_PREFETCH_H
#define SL_MACHINE_SM7_CORE_SM7_PREFETCH_H

#include "machine/sm7/core/sm7_warps.h"

/* The warp that a scheduler examines first, among some. */
static inline unsigned sl_sm7_first_examined(const struct sl_sm7_sm *sm, unsigned scheduler, uint64_t set)
{
  const uint32_t order = sm->wire.spec->scheduler;
  const unsigned last = sm->last[scheduler] == SL_SM7_NONE ? scheduler : sm->last[scheduler];
  if (order == SL_SM7_LRR || order == SL_SM7_TWO_LEVEL) {
    const uint64_t later = last < 63 ? set >> (last + 1) << (last + 1) : 0;
    return (unsigned)__builtin_ctzll(later ? later : set);
  }
  if (set & sl_sm7_bit(last))
    return last;
  for (unsigned i = 0; i < sm->aged; i++) {
    const unsigned warp = sm->by_age[order == SL_SM7_GTY ? sm->aged - 1u - i : i];
    if (set & sl_sm7_bit(warp))
      return warp;
  }
  return (unsigned)__builtin_ctzll(set);
}

/* Not inline: the cycle loop stays as GCC would compile it without them. */
#define SL_SM7_APART static __attribute__((noinline))

/* Whether a warp may issue whose data have not been prefetched. */
static inline bool sl_sm7_has_fresh(const struct sl_sm7_sm *sm)
{
  return (sl_sm7_candidates(sm) & ~sm->prefetched) != 0 && sm->wire.front->prefetch_warp != NULL;
}

/* The warps that the schedulers will probably examine first; SL_SM7_NONE: none, or its data have been prefetched. */
struct sl_sm7_foreseen {
  uint8_t warp[SL_SM7_MAX_SCHEDULERS];
};

/* Begins with what leads to their registers. */
SL_SM7_APART struct sl_sm7_foreseen sl_sm7_foresee(const struct sl_sm7_sm *sm)
{
  const struct sl_sm7_front *front = sm->wire.front;
  const uint64_t set = sl_sm7_candidates(sm);
  struct sl_sm7_foreseen f;
  for (unsigned k = 0; k < sm->wire.spec->schedulers; k++) {
    f.warp[k] = SL_SM7_NONE;
    if (!(set & sm->of_scheduler[k] & ~sm->prefetched))
      continue;
    const unsigned warp = sl_sm7_first_examined(sm, k, set & sm->of_scheduler[k]);
    if (sm->prefetched & sl_sm7_bit(warp))
      continue;
    f.warp[k] = (uint8_t)warp;
    __builtin_prefetch(&sm->warp[warp]);
    __builtin_prefetch(&sm->warp[warp].busy);
    front->prefetch_warp(front->context, sm->id, warp / sm->warps_per_block, warp % sm->warps_per_block);
  }
  return f;
}

/* The registers of their next instructions. */
SL_SM7_APART void sl_sm7_prefetch_registers(struct sl_sm7_sm *sm, struct sl_sm7_foreseen f)
{
  const struct sl_sm7_front *front = sm->wire.front;
  for (unsigned k = 0; k < sm->wire.spec->schedulers; k++) {
    if (f.warp[k] == SL_SM7_NONE)
      continue;
    const struct sl_sm7_warp *w = &sm->warp[f.warp[k]];
    sm->prefetched |= sl_sm7_bit(f.warp[k]);
    front->prefetch_registers(front->context, sm->id, w->slot, w->index, w->pc);
  }
}

#endif
