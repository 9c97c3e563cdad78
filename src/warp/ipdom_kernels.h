/* Kernels of a program that runs on IPDOM warps: what warp/kernel_watch.h needs to know of an executed instruction. */
#ifndef SL_WARP_IPDOM_KERNELS_H
#define SL_WARP_IPDOM_KERNELS_H

#include "warp/ipdom_execution.h"

/* From now on; the watch must outlive the warps. */
void sl_ipdom_watch(struct sl_ipdom_warps *w, const struct sl_kernel_watch *watch);

/* Whether an instruction can begin or end a kernel. */
static inline bool sl_ipdom_watched(const struct sl_ipdom_warps *w, const struct sl_insn *in)
{
  return w->watched >> in->kind & 1;
}

/* Such an instruction has been executed. True: the core's span has changed. */
bool sl_ipdom_see_kernel(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                         enum sl_ipdom_effect effect);

#endif
