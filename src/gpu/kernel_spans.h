/* The launches of a program without a host CPU: its kernels, from when each begins to when it has ended, in the
 * counters of the one run of the SM that the program is. Or, if the options ask for it, the whole program as one
 * launch.
 */
#ifndef SL_GPU_KERNEL_SPANS_H
#define SL_GPU_KERNEL_SPANS_H

#include "gpu/device_state.h"

/* Finds out how the program's kernels are told and asks the machine to: by the places that simtlab's own runtime has,
 * by the function that the options name, or by spawned warps. SL_USAGE: there is no such function. */
enum sl_status sl_spans_watch(struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* For the machine. True: it stops there, since with the launch timing begins or ends. */
bool sl_spans_kernel(void *device, bool begins, uint32_t entry);

/* The counters of the launch under way, as far as it has come. */
void sl_spans_update(struct sl_device *device);

/* Likewise, at its end or where a fault or limit comes before. */
void sl_spans_end(struct sl_device *device);

#endif
