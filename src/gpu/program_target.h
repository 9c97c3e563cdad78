/* Whether a program is for a device. */
#ifndef SL_GPU_PROGRAM_TARGET_H
#define SL_GPU_PROGRAM_TARGET_H

#include "gpu/device_state.h"

/* SL_USAGE: its instructions are others, or it has been linked for another kind of machine. */
enum sl_status sl_check_target(const struct sl_device *device, const struct sl_program *program, struct sl_error *err);

#endif
