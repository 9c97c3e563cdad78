/* The SM of a device simulated to the end of a kernel, in slices between which limits, pauses and the progress function
 * have their say. */
#ifndef SL_GPU_KERNEL_RUN_H
#define SL_GPU_KERNEL_RUN_H

#include "gpu/device_state.h"

/* Simulates the kernel that was started to its end and queues its answer. */
enum sl_status sl_device_run_kernel(struct sl_device *device, struct sl_error *err);

/* SL_INTERNAL when there was no memory for a page of the simulated one: what was stored there is lost. */
enum sl_status sl_device_check_memory(const struct sl_device *device, struct sl_error *err);

/* Has the progress function its say: SL_LIMIT when it stops the run. */
enum sl_status sl_device_progress(const struct sl_device *device, struct sl_error *err);

/* How much of a slice may be spent before the limit the user set, or the pause. */
uint64_t sl_device_budget(const struct sl_device *device, uint64_t slice);

/* What to return when it is used up: SL_PAUSED at the pause the caller asked for, SL_LIMIT at the limit. */
enum sl_status sl_device_stop(struct sl_device *device, struct sl_error *err);

#endif
