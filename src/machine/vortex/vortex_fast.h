/* Vortex without timing: the same instructions; the warps of all cores take turns. Warp numbers run over all cores. See
 * struct sl_machine_steps. */
#ifndef SL_MACHINE_VORTEX_FAST_H
#define SL_MACHINE_VORTEX_FAST_H

#include "machine/vortex/vortex_gpu.h"

enum { SL_VORTEX_TURN = 256 };

int sl_vortex_next(struct sl_sm *handle, unsigned after);
uint64_t sl_vortex_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most);
void sl_vortex_none(struct sl_sm *handle);

#endif
