/* Profiles of a host program's timed launches: for each module a text, a page and a JSON file, as `simtlab profile
 * X.launch` writes them. */
#ifndef SL_HOST_HOST_PROFILE_H
#define SL_HOST_HOST_PROFILE_H

#include "host/host_device.h"

/* All without effect on a device without the option PROFILE. */
enum sl_status sl_host_profile_open(struct sl_host_device *device, struct sl_error *err);
struct sl_probes *sl_host_profile_probes(struct sl_host_profile *profile);

/* A module has been loaded. */
void sl_host_profile_module(struct sl_host_device *device, const struct sl_gpu_module *module,
                            const struct sl_host_code *code);

/* A launch of a module begins; it has ended. */
void sl_host_profile_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed);
void sl_host_profile_end(struct sl_host_device *device, const struct sl_gpu_launch *launch, enum sl_status code);

/* Writes the files. */
void sl_host_profile_close(struct sl_host_device *device);

#endif
