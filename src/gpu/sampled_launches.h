/* Launches of a device that are timed in part (engine/sampling.h): those of one kernel pool their windows, and when the
 * run has ended the estimates take the place of counters. Counters of executed instructions stay exact. */
#ifndef SL_GPU_SAMPLED_LAUNCHES_H
#define SL_GPU_SAMPLED_LAUNCHES_H

#include "gpu/device_state.h"

/* Launches of one kernel with one size of blocks. */
struct sl_sampled_kernel {
  uint32_t entry, warps_per_block;
  uint64_t launches, next;       /* so far; the next one of which something is timed */
  uint64_t instructions, latest; /* of its launches so far, and of the latest */
  uint64_t estimated, whole; /* instructions in no timed stratum: of launches that were timed in part, or not at all */
  double window;             /* progress of the latest */
  double switching;          /* cycles in which a launch is neither timed nor not */
  /* Exact strata before a launch's first skip and after one. */
  double first_cycles, first_progress, tail_cycles, tail_progress;
  struct sl_window_sums sums, launch_sums;
};

/* SL_USAGE: the machine cannot do that, or not together with what else is asked for. */
enum sl_status sl_sampled_check(const struct sl_device *device, struct sl_error *err);

/* A program that has the machine to itself begins, before any of its launches. SL_INTERNAL: no memory. */
enum sl_status sl_sampled_outside(struct sl_device *device, struct sl_error *err);

/* The last launch begins, after the SM has started it. SL_INTERNAL: no memory. */
enum sl_status sl_sampled_begin(struct sl_device *device, struct sl_error *err);

/* It has ended, or a limit or fault came before, and its counters are there as the machine has them: of those that are
 * estimated, what timed strata have counted takes their place. */
void sl_sampled_end(struct sl_device *device, struct sl_launch *launch);

/* The run is over: estimates take the place of counters. */
void sl_sampled_settle(struct sl_device *device);

#endif
