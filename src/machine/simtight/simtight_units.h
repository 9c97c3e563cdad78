/* The functional units and the memory path of an SM in a cycle, from their resume merge on; included by who runs
 * cycles.
 */
#ifndef SL_MACHINE_SIMTIGHT_UNITS_H
#define SL_MACHINE_SIMTIGHT_UNITS_H

#include "machine/simtight/simtight_sm.h"

/* The resume merge: one result per cycle into the resume queue. The order is the shape of the hardware's reduction
 * tree: memory, multiplier, divider without an FPU; multiplier, divider, memory, FPU with one. */
static inline __attribute__((always_inline)) void sl_simtight_merge_resumes(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_pipeline_queue *memory = &sm->s.path.answer;
  if (sm->s.resume.full)
    return;
  if (memory->full && !sm->spec.fpu) {
    memory->full = false;
    sl_pipeline_put(&sm->s.resume, memory->item);
  } else if (sm->s.multiplier.results > 0) {
    sl_pipeline_put(&sm->s.resume, sl_multiplier_events_take(&sm->s.multiplier, now));
  } else if (sl_divider_can_take(&sm->s.divider, now)) {
    sl_pipeline_put(&sm->s.resume, sl_divider_take(&sm->s.divider, now));
  } else if (memory->full) {
    memory->full = false;
    sl_pipeline_put(&sm->s.resume, memory->item);
  } else if (sm->s.fpu.response.full) {
    sl_pipeline_put(&sm->s.resume, sl_fpu_take(&sm->s.fpu));
  }
}

/* The memory path while someone listens. */
void sl_simtight_observed_path(struct sl_simtight_sm *sm, int64_t now);

/* The resume merge and what is behind it: memory path, multiplier, FPU. */
static inline __attribute__((always_inline)) void sl_simtight_units_cycle(struct sl_simtight_sm *sm, int64_t now)
{
  sl_simtight_merge_resumes(sm, now);
  if (sm->spec.fpu && (sl_fpu_busy(&sm->s.fpu) || sm->s.fpu.consumed))
    sl_fpu_cycle(&sm->s.fpu, now);
  sl_simtight_boxes_cycle(sm, now);
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_observed_path(sm, now);
  else
    sl_request_path_cycle(&sm->s.path, sm->warps.ops, &sm->s.stack_cache, now);
  sm->s.multiplier_ready = sl_multiplier_events_cycle(&sm->s.multiplier, now);
  sl_simtight_boxes_compare(sm, now);
}

#endif
