/* The records of a device's launches in its result. */
#ifndef SL_GPU_LAUNCH_RECORD_H
#define SL_GPU_LAUNCH_RECORD_H

#include "gpu/device.h"
#include "gpu/device_state.h"

/* Append a launch that starts now (NULL: out of memory), and end the last one. Both notify observers. */
struct sl_launch *sl_device_new_launch(struct sl_device *device, uint32_t entry);
void sl_device_tell_ended(struct sl_device *device);

/* Host time in seconds. */
double sl_device_seconds(void);

/* A place in a run of a program that launches kernels: the start of a launch, chosen by kernel or number, or a number
 * of warp instructions in launches. Fast forward ends at a place (gpu/fast_forward.h), and a run pauses at one for a
 * checkpoint. */

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

/* Counters over several launches. */

/* The sum over launches, or the maximum for a level (SL_COUNTER_GREATEST). */
uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count);

/* Finds a counter by name; returns false if the machine has none of that name. */
bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index);

#endif
