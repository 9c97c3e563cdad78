/* Launches of a program without a host CPU: its kernels, each from its start to its end. Their counters are differences
 * of the counters of the program's single SM run. With the options' whole_program, the whole program is one launch. */
#ifndef SL_GPU_KERNEL_SPANS_H
#define SL_GPU_KERNEL_SPANS_H

#include "gpu/device_state.h"

/* Determines how to recognise the program's kernels, and enables it in the machine: by known code locations of
 * simtlab's runtime, by the function that the options name, or by spawned warps. SL_USAGE: there is no such
 * function. */
enum sl_status sl_spans_watch(struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* Callback of the machine. Returns true if the machine must stop there, because timing starts or ends with the
 * launch. */
bool sl_spans_kernel(void *device, bool begins, uint32_t entry);

/* Updates the counters of the current launch. */
void sl_spans_update(struct sl_device *device);

/* Ends the current launch, or stops it at a fault or limit, and updates its counters. */
void sl_spans_end(struct sl_device *device);

#endif
