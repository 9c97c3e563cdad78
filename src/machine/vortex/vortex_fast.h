/* Functional mode of Vortex: the same instructions without timing, warps of all cores in turns. */
#ifndef SL_MACHINE_VORTEX_FAST_H
#define SL_MACHINE_VORTEX_FAST_H

#include "machine/vortex/vortex_gpu.h"

/* Up to that many instructions. */
enum sl_sm_state sl_vortex_run_fast(struct sl_vortex_gpu *sm, uint64_t instructions);

#endif
