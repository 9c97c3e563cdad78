/* Simulates a device's SM to the end of a kernel, in time slices. Limits, pauses and the progress function are checked
 * between slices. */
#ifndef SL_GPU_KERNEL_RUN_H
#define SL_GPU_KERNEL_RUN_H

#include "device/device_state.h"

/* Simulates the started kernel to its end and queues its answer. */
enum sl_status sl_device_run_kernel(struct sl_device *device, struct sl_error *err);

/* SL_INTERNAL: the allocation of a page of simulated memory failed, and stores to it are lost. */
enum sl_status sl_device_check_memory(const struct sl_device *device, struct sl_error *err);

/* Calls the progress function. SL_LIMIT: it stops the run. */
enum sl_status sl_device_progress(const struct sl_device *device, struct sl_error *err);

/* The part of a slice that may be spent before the user's limit or the pause. */
uint64_t sl_device_budget(const struct sl_device *device, uint64_t slice);

/* The status at the end of that budget: SL_PAUSED at the caller's pause, SL_LIMIT at the limit. */
enum sl_status sl_device_stop(struct sl_device *device, struct sl_error *err);

#endif
