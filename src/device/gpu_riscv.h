/* What only GPUs for machine code have: the device under them, which can also run a host program. */
#ifndef SL_DEVICE_GPU_RISCV_H
#define SL_DEVICE_GPU_RISCV_H

#include "device/gpu.h"

/* The fault that ended the latest launch of a device, by its host program or without one. */
struct sl_gpu_fault sl_gpu_riscv_fault(const struct sl_device *device);

/* NULL: a GPU for PTX. */
struct sl_device *sl_gpu_riscv_device(struct sl_gpu *gpu);

#endif
