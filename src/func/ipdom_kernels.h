/* Kernel detection for programs on IPDOM warps: passes executed instructions to func/kernel_tracker.h. */
#ifndef SL_WARP_IPDOM_KERNELS_H
#define SL_WARP_IPDOM_KERNELS_H

#include "func/ipdom_execution.h"

/* Starts detection. The watch must outlive the warps. */
void sl_ipdom_watch(struct sl_ipdom_warps *w, const struct sl_kernel_tracker *watch);

/* Returns true if the instruction can begin or end a kernel. */
static inline bool sl_ipdom_watched(const struct sl_ipdom_warps *w, const struct sl_insn *in)
{
  return w->watched >> in->kind & 1;
}

/* Records such an instruction after its execution. Returns true if the core's span has changed. */
bool sl_ipdom_see_kernel(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                         enum sl_ipdom_effect effect);

#endif
