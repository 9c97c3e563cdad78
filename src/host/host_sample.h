/* Sampled launches of a host program (option SAMPLE=K[,SEED] or auto[,SEED]): launches of one kernel with one grid,
 * block and amount of shared memory are a cluster, of which some launches are timed and the others executed without
 * timing.
 *
 * Launch i of a cluster, from 1, is timed if i <= K, and otherwise with probability K / i, drawn from the seed. So the
 * number of timed launches grows with the logarithm of the launches, and the length of the program need not be known.
 * The cycles of a cluster are estimated by a line over the warp instructions of a launch, which are exact for all:
 * least squares, weighted with the inverse probabilities. The 95 % confidence interval is that of the regression
 * estimator with independent draws (Cochran, Sampling Techniques, chapters 7 and 9A; Student's t). It covers the choice
 * of launches only: untimed launches leave caches and DRAM without the lines that they would have brought there.
 *
 * The automatic plan also times samples of long grids of PTX (device/engine/block_sampling.h); their interval is
 * added. */
#ifndef SL_HOST_HOST_SAMPLE_H
#define SL_HOST_HOST_SAMPLE_H

#include <jansson.h>

#include "host/host_device.h"

/* All without effect on a device without the option SAMPLE. SL_USAGE: it excludes another option. */
enum sl_status sl_host_sample_open(struct sl_host_device *device, struct sl_error *err);
void sl_host_sample_close(struct sl_host_device *device);

/* Chooses whether a launch is timed; without timing it takes its estimated time. */
bool sl_host_sample_begin(struct sl_host_device *device, const struct sl_gpu_launch *launch);

/* The launch has ended, and its record is the GPU's last. Returns its estimated cycles; below 0: none are estimated. */
double sl_host_sample_end(struct sl_host_device *device, bool timed, enum sl_status code);

/* The estimates of all clusters; NULL: there are none. The caller drops the reference. */
json_t *sl_host_sample_json(const struct sl_host_device *device);

#endif
