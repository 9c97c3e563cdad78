/* One cycle of an SM's functional units and memory path, from the resume merge on. The cycle loops include it. */
#ifndef SL_SIMTIGHT_CYCLE_H
#define SL_SIMTIGHT_CYCLE_H

#include "machine/simtight/simtight_sm.h"

/* Resume merge with any unit that has results. Its queue is empty. */
static inline void sl_simtight_merge_all(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_resume *r = &sm->s.resume;
  const bool memory = sl_resume_has(r, SL_RESUME_MEMORY);
  if (memory && !sm->spec.fpu) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_resume_take(r, SL_RESUME_MEMORY));
  } else if (sm->s.multiplier.product < now) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_multiplier_events_oldest(&sm->s.multiplier));
    sl_multiplier_events_take(&sm->s.multiplier, now);
    sl_resume_show_product(r, &sm->s.multiplier);
  } else if (sl_divider_can_take(&sm->s.divider, now)) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_divider_take(&sm->s.divider, now));
  } else if (memory) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_resume_take(r, SL_RESUME_MEMORY));
  } else if (sm->s.fpu.response.full) {
    sl_resume_put(r, SL_RESUME_QUEUE, sl_fpu_take(&sm->s.fpu));
  }
}

/* Resume merge, then memory path, multiplier and FPU. */
static inline __attribute__((always_inline)) void sl_simtight_units_cycle(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_request_path *path = &sm->s.path;
  if (SL_CHECKS)
    sl_simtight_reference_cycle(sm, now);
  if (!sm->spec.fpu && sm->s.divider.count == 0)
    sl_resume_merge(&sm->s.resume, &sm->s.multiplier, now);
  else if (!sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE))
    sl_simtight_merge_all(sm, now);
  if (sm->spec.fpu && (sl_fpu_busy(&sm->s.fpu) || sm->s.fpu.consumed))
    sl_fpu_cycle(&sm->s.fpu, now);
  if ((unsigned)!sl_resume_has(&sm->s.resume, SL_RESUME_MEMORY) & (unsigned)sl_request_path_can_answer(path, now))
    sl_resume_put(&sm->s.resume, SL_RESUME_MEMORY, sl_request_path_answer(path, now));
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report_path(sm, now);
  else
    sl_request_path_cycle(path, sm->warps.ops, &sm->s.stack_cache, now);
  if (SL_CHECKS)
    sl_simtight_reference_compare(sm, now);
}

#endif
