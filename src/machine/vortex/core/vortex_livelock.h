/* Livelock detection for a Vortex GPU, periodically between cycles or instructions. */
#ifndef SL_MACHINE_VORTEX_LIVELOCK_H
#define SL_MACHINE_VORTEX_LIVELOCK_H

#include "machine/vortex/vortex_gpu.h"

/* Ends the run with a livelock fault if no running warp can leave its loop. */
void sl_vortex_check_livelock(struct sl_sm *handle);

/* The lanes of a warp by place, for the message. */
unsigned sl_vortex_warp_paths(const struct sl_sm *handle, unsigned number, struct sl_warp_path path[SL_MAX_LANES]);

#endif
