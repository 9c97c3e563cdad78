/* Interaction of the cores of a Vortex GPU, without its timing: global barriers. */
#include "machine/vortex/vortex_gpu.h"

bool sl_vortex_active(const struct sl_vortex_gpu *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (sm->core[c].warps.s.sync.active != 0)
      return true;
  return false;
}

bool sl_vortex_open_barriers(struct sl_vortex_gpu *sm, unsigned cluster, sl_warps released[SL_VORTEX_CORES_MAX])
{
  const unsigned cores = sm->spec.cores / sm->spec.clusters;
  struct sl_core_sync *sync[SL_VORTEX_CORES_MAX];
  for (unsigned c = 0; c < cores; c++)
    sync[c] = &sm->core[cluster * cores + c].warps.s.sync;
  return sl_core_syncs_open(sync, cores, released);
}

void sl_vortex_deadlock(struct sl_vortex_gpu *sm)
{
  unsigned core = 0;
  while (sm->core[core].warps.s.sync.active == 0)
    core++;
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  const unsigned warp = sl_lowest(w->s.sync.active);
  const uint32_t pc = sl_code_before(w->code, w->warp[warp].pc);
  w->fault = (struct sl_fault){
      .kind = SL_FAULT_WARPS_WAIT, .warp = (int)sl_ipdom_global(w, warp), .lanes = w->warp[warp].mask, .pc = pc};
  if (sl_ipdom_insn(w, pc) != NULL)
    w->fault.insn = *sl_ipdom_insn(w, pc);
  sm->fault = w->fault;
  sm->base.state = SL_SM_FAULTED;
}
