/* The contents of a device's checkpoint in memory: sl_device_save and sl_device_restore (device/device.h) without the
 * file.
 *
 * A checkpoint file is untrusted. It is validated completely before the device changes. */
#ifndef SL_GPU_CHECKPOINT_H
#define SL_GPU_CHECKPOINT_H

#include "device/checkpoint_file.h"
#include "device/device.h"

const struct sl_schema *sl_launch_schema(void);

/* Saves the device's state into an empty checkpoint, which the caller frees. */
enum sl_status sl_checkpoint_fill(const struct sl_device *device, struct sl_checkpoint *checkpoint,
                                  struct sl_error *err);

/* Restores the device's state from a checkpoint. Messages use `name` as the file name. */
enum sl_status sl_checkpoint_apply(struct sl_device *device, struct sl_checkpoint *checkpoint, const char *name,
                                   struct sl_error *err);

/* The same for a debugger within a launch without a host program: the device itself goes back during the launch, also
 * from a fault. The caller frees *bytes. */
enum sl_status sl_device_save_launch(const struct sl_device *device, void **bytes, size_t *size, struct sl_error *err);
enum sl_status sl_device_restore_launch(struct sl_device *device, const void *bytes, size_t size, struct sl_error *err);

#endif
