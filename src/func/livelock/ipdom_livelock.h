/* Livelock detection for the warps of a Vortex core (base/livelock.h). */
#ifndef SL_WARP_IPDOM_LIVELOCK_H
#define SL_WARP_IPDOM_LIVELOCK_H

#include "base/livelock.h"
#include "func/ipdom_execution.h"

/* Returns true if a warp that continues at `pc` spins as long as memory stays as it is. Nothing else changes. The core
 * has no logged stores. Call it for every running warp, with the same fault, which is none at first: if all spin, the
 * fault describes the livelock. */
bool sl_ipdom_spins(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, struct sl_fault *fault);

#endif
