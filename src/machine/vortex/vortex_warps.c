/* What cores of a Vortex GPU have to do with each other, without its timing: global barriers. */
#include "machine/vortex/vortex_sm.h"

bool sl_vortex_active(const struct sl_vortex_gpu *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (sm->core[c].warps.gang.active != 0)
      return true;
  return false;
}

bool sl_vortex_open_barriers(struct sl_vortex_gpu *sm, unsigned cluster, sl_warps released[SL_VORTEX_CORES_MAX])
{
  const unsigned cores = sm->spec.cores / sm->spec.clusters;
  struct sl_gang *gang[SL_VORTEX_CORES_MAX];
  for (unsigned c = 0; c < cores; c++)
    gang[c] = &sm->core[cluster * cores + c].warps.gang;
  return sl_gangs_open(gang, cores, released);
}
