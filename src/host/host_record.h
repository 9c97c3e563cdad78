/* Recorded launches: a folder with a launch script for each launch, which `simtlab run` repeats.
 *
 * The folder has module-N.ptx, each module once; data/HASH.bin, contents of buffers and variables, each once; and
 * launch-N.launch. A script allocates all buffers that were live, at their addresses, with their contents before the
 * launch, and expects the sums of those that the launch has changed. */
#ifndef SL_HOST_HOST_RECORD_H
#define SL_HOST_HOST_RECORD_H

#include "host/host_device.h"

/* All without effect on a device without the option RECORD. A recording that fails warns and is incomplete; the program
 * goes on. */
enum sl_status sl_host_recorder_open(struct sl_host_device *device, struct sl_error *err);
void sl_host_recorder_close(struct sl_host_device *device);
void sl_host_record_module(struct sl_host_device *device, const struct sl_host_code *code);

/* Begin writes the contents, and the script without sums, so it is there if the launch never ends. */
void sl_host_record_begin(struct sl_host_device *device, const struct sl_gpu_launch *launch, bool timed);
void sl_host_record_end(struct sl_host_device *device, enum sl_status code);

#endif
