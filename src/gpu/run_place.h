/* A place in a run of a program that launches kernels: where a launch begins, of a kernel or of a number, or after a
 * number of warp instructions in launches. What is executed without timing ends at one (gpu/fast_forward.h), and a run
 * pauses at one, for a checkpoint. */
#ifndef SL_GPU_RUN_PLACE_H
#define SL_GPU_RUN_PLACE_H

#include "gpu/device_state.h"

/* Whether a launch that begins now, after so many others and so many instructions, is the place or beyond it. */
bool sl_place_begins(const struct sl_device *device, const struct sl_place *place, uint64_t launches,
                     uint64_t instructions, uint32_t entry);

/* The machine's counter of warp instructions. */
size_t sl_place_counter(const struct sl_machine *machine);

/* What the launch under way has executed; 0 outside of launches. */
uint64_t sl_place_executed(const struct sl_device *device);

/* SL_USAGE: the whole program is one launch. */
enum sl_status sl_place_check(const struct sl_device *device, const struct sl_place *place, const char *option,
                              struct sl_error *err);

/* A launch is about to begin. True: the run pauses first, or, where the program launches it itself, now. */
bool sl_place_pauses(struct sl_device *device, uint32_t entry);

/* How many instructions may be executed before it is to be asked whether the run pauses; and whether it does. */
uint64_t sl_place_left(const struct sl_device *device);
bool sl_place_reached(struct sl_device *device);

#endif
