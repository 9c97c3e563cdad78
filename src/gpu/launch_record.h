/* The launches of a device, as its result has them. */
#ifndef SL_GPU_LAUNCH_RECORD_H
#define SL_GPU_LAUNCH_RECORD_H

#include "gpu/device_state.h"

/* One that begins now, appended to the result; NULL: no memory. And the end of the last one. Listeners are told. */
struct sl_launch *sl_device_new_launch(struct sl_device *device, uint32_t entry);
void sl_device_tell_ended(struct sl_device *device);

/* Time of the computer that simulates. */
double sl_device_seconds(void);

#endif
