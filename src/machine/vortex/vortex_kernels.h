/* Kernels of a program that runs on a Vortex GPU alone: those who launched it are told when one begins and ends, in the
 * cycle in which the instruction that does it executes; with several cores, at the end of the stretch of cycles that
 * they are simulated at a time. */
#ifndef SL_MACHINE_VORTEX_KERNELS_H
#define SL_MACHINE_VORTEX_KERNELS_H

#include "machine/vortex/vortex_gpu.h"

bool sl_vortex_watch(struct sl_sm *sm, const struct sl_kernel_watch *watch);

/* The span of some core has changed. */
void sl_vortex_kernels(struct sl_vortex_gpu *sm);

#endif
