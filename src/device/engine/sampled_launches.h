/* Sampled timing of a device's launches (engine/sampling.h). Launches of one kernel pool their windows. When the run
 * has ended, estimates replace counters. Counters of executed instructions stay exact. */
#ifndef SL_GPU_SAMPLED_LAUNCHES_H
#define SL_GPU_SAMPLED_LAUNCHES_H

#include "device/device_state.h"

/* The launches of one kernel with one block size. */
struct sl_sampled_kernel {
  uint32_t entry, warps_per_block;
  uint64_t launches, next;       /* number so far; number of the next one with timing */
  uint64_t instructions, latest; /* of all its launches so far, and of the latest */
  uint64_t estimated,
      whole;        /* instructions outside timed strata: of launches that were timed in part, and of untimed ones */
  double window;    /* progress of the latest window */
  double switching; /* cycles of switching between timed and untimed execution */
  /* Exact strata: before a launch's first skip, and after one. */
  double first_cycles, first_progress, tail_cycles, tail_progress;
  struct sl_window_sums sums, launch_sums;
};

/* SL_USAGE: the machine does not support sampling, or not together with another option. */
enum sl_status sl_sampled_check(const struct sl_device *device, struct sl_error *err);

/* Whether the machine only samples whole launches (device/engine/launch_sampling.h). */
bool sl_sampled_by_launches(const struct sl_device *device);

/* Starts a program on a machine without a host CPU, before its launches. SL_INTERNAL: out of memory. */
enum sl_status sl_sampled_outside(struct sl_device *device, struct sl_error *err);

/* Starts sampling of the last launch, after the SM has started it. SL_INTERNAL: out of memory. */
enum sl_status sl_sampled_begin(struct sl_device *device, struct sl_error *err);

/* Ends the launch, also at a limit or fault, when its counters contain the machine's values. The counters of timed
 * strata replace those that are estimated. */
void sl_sampled_end(struct sl_device *device, struct sl_launch *launch);

/* Replaces counters by estimates at the end of the run. */
void sl_sampled_settle(struct sl_device *device);

/* Launches of a program without a host CPU: its kernels, each from its start to its end. Their counters are differences
 * of the counters of the program's single SM run. With the options' whole_program, the whole program is one launch. */

/* Determines how to recognise the program's kernels, and enables it in the machine: by known code locations of
 * simtlab's runtime, by the function that the options name, or by spawned warps. SL_USAGE: there is no such
 * function. */
enum sl_status sl_spans_watch(struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* Callback of the machine. Returns true if the machine must stop there, because timing starts or ends with the
 * launch. */
bool sl_spans_kernel(void *device, bool begins, uint32_t entry);

/* Updates the counters of the current launch. */
void sl_spans_update(struct sl_device *device);

/* Ends the current launch, or stops it at a fault or limit, and updates its counters. */
void sl_spans_end(struct sl_device *device);

/* ---- block_sampling.c -------------------------------------------------------------------------------------------- */

/* Sampled timing of the blocks of a launch of machine code on sm7 (device/engine/block_sampling.h). */

/* Simulates the current launch, whose blocks the device samples, for at most `cycles` cycles. */
enum sl_sm_state sl_sampled_blocks_run(struct sl_device *device, uint64_t cycles);

/* Ends the launch, if it has ended: estimates replace its counters. */
void sl_sampled_blocks_end(struct sl_device *device, struct sl_launch *launch);

/* Forgets a launch that did not end. */
void sl_sampled_blocks_forget(struct sl_device *device);

#endif
