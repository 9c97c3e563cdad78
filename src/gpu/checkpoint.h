/* What a checkpoint of a device holds, in memory: sl_device_save and sl_device_restore (gpu/device.h) without the file.
 *
 * A checkpoint comes from a file that anyone may have written: it is looked at in full before the device changes, and
 * what a machine's state could not be is refused (base/sound.h). */
#ifndef SL_GPU_CHECKPOINT_H
#define SL_GPU_CHECKPOINT_H

#include "gpu/checkpoint_file.h"
#include "gpu/device.h"

/* Into an empty one, which the caller frees. */
enum sl_status sl_checkpoint_fill(const struct sl_device *device, struct sl_checkpoint *checkpoint,
                                  struct sl_error *err);

/* Takes the device's state from it; name is for the error. */
enum sl_status sl_checkpoint_apply(struct sl_device *device, struct sl_checkpoint *checkpoint, const char *name,
                                   struct sl_error *err);

#endif
