/* Loads programs into a device's memories: decoded code, data, and a host program's arguments. */
#ifndef SL_GPU_LOADER_H
#define SL_GPU_LOADER_H

#include "device/device_state.h"

/* Reloads a program that another one with the same addresses has replaced, with its variables as in its file. */
enum sl_status sl_device_make_resident(struct sl_device *device, const struct sl_program *program,
                                       struct sl_error *err);

/* The resident program with code at an address, or NULL. */
const struct sl_program *sl_device_program_at(const struct sl_device *device, uint32_t address);

#endif
