/* A place in a run of a program that launches kernels: the start of a launch, chosen by kernel or number, or a number
 * of warp instructions in launches. Fast forward ends at a place (gpu/fast_forward.h), and a run pauses at one for a
 * checkpoint. */
#ifndef SL_GPU_RUN_PLACE_H
#define SL_GPU_RUN_PLACE_H

#include "gpu/device_state.h"

/* Whether a launch that starts now is at the place or beyond it; `launches` and `instructions` are those before it. */
bool sl_place_begins(const struct sl_device *device, const struct sl_place *place, uint64_t launches,
                     uint64_t instructions, uint32_t entry);

/* Index of the machine's counter of warp instructions. */
size_t sl_place_counter(const struct sl_machine *machine);

/* Instructions of the current launch; 0 outside of launches. */
uint64_t sl_place_executed(const struct sl_device *device);

/* SL_USAGE: the whole program is one launch. */
enum sl_status sl_place_check(const struct sl_device *device, const struct sl_place *place, const char *option,
                              struct sl_error *err);

/* Checks a launch that is about to start. Returns true if the run pauses before it, or, for a program that launches it
 * itself, now. */
bool sl_place_pauses(struct sl_device *device, uint32_t entry);

/* Number of instructions until the next check of whether the run pauses; and that check. */
uint64_t sl_place_left(const struct sl_device *device);
bool sl_place_reached(struct sl_device *device);

#endif
