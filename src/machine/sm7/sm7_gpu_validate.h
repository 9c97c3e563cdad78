/* Validates the consistency of a GPU that was restored from a checkpoint: every wait has its outstanding event.
 *
 * Every sector that a cache waits for is outstanding exactly once. Every load waits for as many sectors, and every warp
 * for as many stores, as are outstanding. Blocks are where they were dispatched. Such a GPU stays within its queues and
 * tables, whatever its packets and registers contain. */
#ifndef SL_MACHINE_SM7_GPU_VALIDATE_H
#define SL_MACHINE_SM7_GPU_VALIDATE_H

#include "base/state_archive.h"
#include "machine/sm7/sm7_gpu_state.h"

/* Marks the archive as bad if the state is invalid, or if memory runs out. */
void sl_sm7_gpu_valid(struct sl_archive *archive, const struct sl_sm7_gpu *gpu, bool in_kernel);

#endif
