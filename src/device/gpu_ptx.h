/* What only GPUs for PTX have: checkpoints in the middle of a launch. */
#ifndef SL_DEVICE_GPU_PTX_H
#define SL_DEVICE_GPU_PTX_H

#include "base/state_archive.h"
#include "device/gpu.h"

/* The next launch resumes from the archive, up to its end. */
void sl_gpu_ptx_resume_from(struct sl_gpu *gpu, struct sl_archive *archive);

struct sl_ptx_memory *sl_gpu_ptx_memory(struct sl_gpu *gpu);

/* Cycles of the timed engine over all finished launches. */
uint64_t *sl_gpu_ptx_cycles(struct sl_gpu *gpu);

#endif
