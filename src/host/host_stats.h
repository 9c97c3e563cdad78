/* Statistics of a host program: a line of JSON for each launch, then one with the totals
 * (docs/schemas/host-launch.json, host-totals.json). Each line is written at once, so the file of a program that is
 * killed has whole lines. */
#ifndef SL_HOST_HOST_STATS_H
#define SL_HOST_HOST_STATS_H

#include "host/host_device.h"

enum sl_status sl_host_stats_open(struct sl_host_device *device, struct sl_error *err);

/* The launch that has just ended with this error, in a queue. `estimated`: its cycles by sampling; below 0: none. */
void sl_host_stats_launch(struct sl_host_device *device, const struct sl_gpu_launch *launch,
                          const struct sl_queue *queue, bool timed, double estimated, const struct sl_error *outcome);

/* The totals; closes the file. */
void sl_host_stats_close(struct sl_host_device *device);

#endif
