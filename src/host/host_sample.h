/* Sampled launches of a host program (option SAMPLE=K[,SEED] or auto[,SEED]; device/engine/launch_sampling.h): K
 * launches of a cluster are timed at first. The automatic plan also times samples of long grids of PTX
 * (device/engine/block_sampling.h). */
#ifndef SL_HOST_HOST_SAMPLE_H
#define SL_HOST_HOST_SAMPLE_H

#include <jansson.h>

#include "host/host_device.h"

/* Takes the option, before the GPU is opened. SL_USAGE: it is wrong, or excludes another option. */
enum sl_status sl_host_sample_open(struct sl_host_device *device, struct sl_error *err);

/* Whether launches are sampled. */
bool sl_host_samples(const struct sl_host_device *device);

/* The estimates of all clusters, at the program's end; NULL: launches are not sampled. The caller drops the
 * reference. */
json_t *sl_host_sample_json(struct sl_host_device *device);

#endif
