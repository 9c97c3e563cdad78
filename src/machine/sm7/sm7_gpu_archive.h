/* Checkpoints of the GPU. */
#ifndef SL_MACHINE_SM7_GPU_ARCHIVE_H
#define SL_MACHINE_SM7_GPU_ARCHIVE_H

#include "base/state_archive.h"
#include "machine/sm7/sm7_gpu.h"

/* Valid between two runs of a kernel, or between two kernels. The state is restored into a new GPU; if a kernel is
 * running, it must have been launched there. The front end's warps must be restored first. After a bad archive the GPU
 * can only be freed. */
void sl_sm7_gpu_archive(struct sl_archive *archive, struct sl_sm7_gpu *gpu, bool in_kernel);

/* Validates a restored GPU (sm7_census.c): each operation in flight is counted where it is awaited. */
void sl_sm7_gpu_valid(struct sl_archive *archive, const struct sl_sm7_gpu *gpu, bool in_kernel);

#endif
