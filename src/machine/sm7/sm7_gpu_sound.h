/* Whether the parts of a GPU that has been read from a checkpoint fit together: what waits is waited for.
 *
 * Every sector that a cache waits for is under way, once; every load waits for as many sectors, and every warp for as
 * many stores, as are under way; blocks are where they have been given to. A GPU for which that holds stays within its
 * queues and tables whatever its packets and registers say. */
#ifndef SL_MACHINE_SM7_GPU_SOUND_H
#define SL_MACHINE_SM7_GPU_SOUND_H

#include "base/state_tape.h"
#include "machine/sm7/sm7_gpu_state.h"

/* The tape becomes bad if it does not hold, or if there is no memory to find out. */
void sl_sm7_gpu_sound(struct sl_tape *tape, const struct sl_sm7_gpu *gpu, bool in_kernel);

#endif
