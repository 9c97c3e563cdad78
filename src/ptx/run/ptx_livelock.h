/* Livelock detection for warps of PTX kernels (base/livelock.h). */
#ifndef SL_PTX_RUN_PTX_LIVELOCK_H
#define SL_PTX_RUN_PTX_LIVELOCK_H

#include "ptx/run/ptx_fault.h"

/* Returns true if a live warp spins as long as memory stays as it is, and records a livelock in *fault unless one is
 * recorded that says more. Nothing else changes. No access of the block is deferred. Call it for every running warp,
 * with a fault that is none at first; a livelock is proved if all spin. */
bool sl_ptx_spins(struct sl_ptx_warp *w, struct sl_ptx_fault *fault);

#endif
