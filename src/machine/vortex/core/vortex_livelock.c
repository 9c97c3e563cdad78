#include "machine/vortex/core/vortex_livelock.h"

#include "func/warp_livelock.h"
#include "machine/vortex/core/vortex_flight.h"

struct place {
  const struct sl_vortex_gpu *sm;
  unsigned core;
};

/* Where a warp continues: at its oldest instruction in flight that has not executed, else at its next one. Those in
 * flight follow each other in memory, because fetch waits for a jump to execute. */
static uint32_t next_pc(const void *context, unsigned warp)
{
  const struct place *place = context;
  const struct sl_vortex_gpu *sm = place->sm;
  const unsigned core = place->core;
  const struct sl_vortex_pipeline *p = &sm->timed.pipeline[core];
  uint32_t pc = sm->core[core].warps.warp[warp].pc, oldest = UINT32_MAX;
  for (uint32_t i = 0; i < p->op_count && sm->s.timing; i++)
    if (p->op[i].holds > 0 && p->op[i].warp == warp && !p->op[i].executed && p->op[i].pc < oldest)
      oldest = p->op[i].pc;
  return oldest != UINT32_MAX ? oldest : pc;
}

/* Returns true if a warp is about to end, or to change which warps run or wait. */
static bool changes_come(const struct sl_vortex_gpu *sm, unsigned core)
{
  const struct sl_vortex_pipeline *p = &sm->timed.pipeline[core];
  const struct sl_core_sync *sync = &sm->core[core].warps.s.sync;
  bool come = sync->spawning && sync->active == sl_bit(sync->spawner);
  come |= sm->s.timing && sync->at_global != 0 && sm->timed.s.cycle != sm->timed.s.end;
  for (uint32_t i = 0; i < p->op_count && sm->s.timing && !come; i++)
    come = p->op[i].holds > 0 && p->op[i].executed && p->op[i].effect != SL_IPDOM_NOTHING;
  return come;
}

void sl_vortex_check_livelock(struct sl_sm *handle)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_ipdom_warps *w = &sm->core[c].warps;
    const struct place place = {sm, c};
    if (changes_come(sm, c) || !sl_ipdom_livelock(w, sl_core_sync_free(&w->s.sync), next_pc, &place, &fault))
      return;
  }
  if (fault.kind == SL_FAULT_NONE)
    return;
  fault.cycle = sm->s.timing ? sm->s.cycle : 0;
  sm->fault = fault;
  sm->s.state = SL_SM_FAULTED;
}

unsigned sl_vortex_warp_paths(const struct sl_sm *handle, unsigned number, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const struct sl_ipdom_warps *w = &sm->core[number / sm->spec.warps].warps;
  return w->convergence->places(&w->warp[number % sm->spec.warps], path);
}
