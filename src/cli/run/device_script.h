/* Runs a launch script of machine-code kernels (statement `elf`) on a device. It creates buffers in device memory,
 * launches the kernels in order, and reports checksums to an observer. */
#ifndef SL_CLI_DEVICE_SCRIPT_H
#define SL_CLI_DEVICE_SCRIPT_H

#include "gpu/launch.h"
#include "ptx/launch/ptx_script.h"

struct sl_device_script_observer {
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* The device holds the program. SL_CHECK_FAILED: a checksum differs from the expected one. */
enum sl_status sl_device_script_play(const struct sl_ptx_script *script, struct sl_device *device,
                                     const struct sl_program *program, const struct sl_device_script_observer *observer,
                                     struct sl_error *err);

#endif
