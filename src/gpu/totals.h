/* Counters over several launches. */
#ifndef SL_GPU_TOTALS_H
#define SL_GPU_TOTALS_H

#include "gpu/device.h"

/* The sum over launches, or the maximum for a level (SL_COUNTER_GREATEST). */
uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count);

/* Finds a counter by name; returns false if the machine has none of that name. */
bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index);

#endif
