/* Fast forward: the first launches of a run are executed without timing, those from a chosen one on with it.
 *
 * The mode changes where a launch begins, when nothing is under way on the SM, or after a number of instructions in
 * launches, or where the program launches its kernels itself, if the machine can be timed from the middle of a launch
 * (struct sl_machine_sampling). What was skipped is not among the
 * launches of the result: their cycles nobody knows. It is summed beside them. */
#ifndef SL_GPU_FAST_FORWARD_H
#define SL_GPU_FAST_FORWARD_H

#include "gpu/device_state.h"

/* SL_USAGE: the whole program is one launch, or the machine cannot do that. */
enum sl_status sl_forward_check(const struct sl_device *device, struct sl_error *err);

/* A program that launches its kernels itself begins: what is before them is not timed. */
void sl_forward_outside(struct sl_device *device);

/* A launch begins: decides whether it is executed without timing. */
void sl_forward_begin(struct sl_device *device, uint32_t entry);

/* How many instructions may be executed before it is to be asked whether to go on without timing. */
uint64_t sl_forward_left(const struct sl_device *device);

/* So many were: from here on the launch is timed, if that was the last of them. */
void sl_forward_look(struct sl_device *device);

/* The launch whose begin was skipped: only what was timed stays in it. */
void sl_forward_settle(struct sl_device *device, struct sl_launch *launch);

/* What has been executed of the last launch without timing becomes part of what was skipped. */
void sl_forward_take(struct sl_device *device);

/* The program has ended. SL_USAGE: the chosen launch never came. */
enum sl_status sl_forward_ended(const struct sl_device *device, struct sl_error *err);

#endif
