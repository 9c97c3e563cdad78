/* Checks that a device can run a program. */
#ifndef SL_GPU_PROGRAM_TARGET_H
#define SL_GPU_PROGRAM_TARGET_H

#include "gpu/device_state.h"

/* SL_USAGE: the program has another instruction set, needs more registers, or was linked for another kind of machine.
 */
enum sl_status sl_check_target(const struct sl_device *device, const struct sl_program *program, struct sl_error *err);

#endif
