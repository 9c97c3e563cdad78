/* Kernel boundaries of a program that runs on a Vortex GPU alone. The launcher is notified when a kernel begins and
 * ends, in the cycle in which the instruction responsible executes; with several cores, at the end of the quantum. */
#ifndef SL_MACHINE_VORTEX_KERNELS_H
#define SL_MACHINE_VORTEX_KERNELS_H

#include "machine/vortex/vortex_gpu.h"

bool sl_vortex_watch(struct sl_sm *sm, const struct sl_kernel_tracker *watch);

/* The kernel span of a core has changed. */
void sl_vortex_kernels(struct sl_vortex_gpu *sm);

#endif
