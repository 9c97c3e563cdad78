/* A launch description of kernels in machine code (statement `elf`), performed on a device: buffers in its memory,
 * launches of the program's kernels one after the other, sums for who listens. */
#ifndef SL_CLI_DEVICE_SCRIPT_H
#define SL_CLI_DEVICE_SCRIPT_H

#include "gpu/launch.h"
#include "ptx/launch/ptx_script.h"

struct sl_device_script_listener {
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* The device has the program. SL_CHECK_FAILED if a sum is not what was expected. */
enum sl_status sl_device_script_play(const struct sl_ptx_script *script, struct sl_device *device,
                                     const struct sl_program *program, const struct sl_device_script_listener *listener,
                                     struct sl_error *err);

#endif
