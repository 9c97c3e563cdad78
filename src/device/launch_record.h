/* The records of a device's launches in its result, places in a run, and fast forward to one. */
#ifndef SL_GPU_LAUNCH_RECORD_H
#define SL_GPU_LAUNCH_RECORD_H

#include "device/device.h"
#include "device/device_state.h"

/* Append a launch that starts now (NULL: out of memory), and end the last one. Both notify observers. */
struct sl_launch *sl_device_new_launch(struct sl_device *device, uint32_t entry);
void sl_device_tell_ended(struct sl_device *device);

/* Host time in seconds. */
double sl_device_seconds(void);

/* A place in a run of a program that launches kernels: the start of a launch, chosen by kernel or number, or a number
 * of warp instructions in launches. Fast forward ends at a place, and a run pauses at one for a
 * checkpoint. */

/* Checks a launch that is about to start. Returns true if the run pauses before it, or, for a program that launches it
 * itself, now. */
bool sl_place_pauses(struct sl_device *device, uint32_t entry);

/* Number of instructions until the next check of whether the run pauses; and that check. */
uint64_t sl_place_left(const struct sl_device *device);
bool sl_place_reached(struct sl_device *device);

/* Fast forward: the first launches of a run execute without timing, and those from a chosen one on with timing.
 *
 * The mode changes at the start of a launch, when no operation is in flight on the SM. It changes after a number of
 * instructions, or within programs that launch their own kernels, only if the machine supports timing from the middle
 * of a launch (struct sl_machine_sampling). The result's launches exclude skipped ones, whose cycles are unknown; their
 * counters are summed separately. */

/* SL_USAGE: the whole program is one launch, or the machine does not support it. */
enum sl_status sl_forward_check(const struct sl_device *device, struct sl_error *err);

/* Starts a program that launches its kernels itself: the code before them is not timed. */
void sl_forward_outside(struct sl_device *device);

/* Starts a launch and decides whether it executes without timing. */
void sl_forward_begin(struct sl_device *device, uint32_t entry);

/* Number of instructions until the next check of whether to continue without timing. */
uint64_t sl_forward_left(const struct sl_device *device);

/* Performs that check: the launch is timed from here on if its last untimed instruction has executed. */
void sl_forward_look(struct sl_device *device);

/* Ends the launch whose beginning was skipped; only its timed part stays in it. */
void sl_forward_settle(struct sl_device *device, struct sl_launch *launch);

/* Adds the untimed part of the last launch to the skipped sums. */
void sl_forward_take(struct sl_device *device);

/* Checks a program that has ended. SL_USAGE: the chosen launch did not occur. */
enum sl_status sl_forward_ended(const struct sl_device *device, struct sl_error *err);

#endif
