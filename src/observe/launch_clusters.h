/* JSON of the clusters of sampled launches (device/engine/launch_sampling.h): [{kernel, block, shared, blocks [least,
 * most], launches, timed, warp_instrs, cycles, interval}]. `interval` is half of the 95 % confidence interval of the
 * cycles, null if unknown. */
#ifndef SL_OBSERVE_LAUNCH_CLUSTERS_H
#define SL_OBSERVE_LAUNCH_CLUSTERS_H

#include <jansson.h>

#include "device/gpu.h"

/* Of a settled GPU that samples launches; NULL: out of memory. The caller drops the reference. */
json_t *sl_launch_clusters_json(const struct sl_gpu *gpu);

#endif
