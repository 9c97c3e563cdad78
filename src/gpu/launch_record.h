/* The records of a device's launches in its result. */
#ifndef SL_GPU_LAUNCH_RECORD_H
#define SL_GPU_LAUNCH_RECORD_H

#include "gpu/device_state.h"

/* Append a launch that starts now (NULL: out of memory), and end the last one. Both notify observers. */
struct sl_launch *sl_device_new_launch(struct sl_device *device, uint32_t entry);
void sl_device_tell_ended(struct sl_device *device);

/* Host time in seconds. */
double sl_device_seconds(void);

#endif
