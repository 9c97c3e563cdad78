/* Interaction of warps of all cores, without its timing: global barriers, and the end of a run. */
#ifndef SL_MACHINE_VORTEX_WARPS_H
#define SL_MACHINE_VORTEX_WARPS_H

#include "machine/vortex/vortex_gpu.h"

/* Opens the global barriers of a cluster at which enough of its cores have arrived: sl_core_syncs_open. */
bool sl_vortex_open_barriers(struct sl_vortex_gpu *sm, unsigned cluster, sl_warps released[SL_VORTEX_CORES_MAX]);

/* Whether any warp of any core has not ended. */
bool sl_vortex_active(const struct sl_vortex_gpu *sm);

/* All remaining warps wait: ends the run with a fault of the first of them. */
void sl_vortex_deadlock(struct sl_vortex_gpu *sm);

#endif
