/* Counters over several launches. */
#ifndef SL_GPU_TOTALS_H
#define SL_GPU_TOTALS_H

#include "gpu/device.h"

/* The sum over launches, of a level (SL_COUNTER_GREATEST) the greatest. */
uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count);

/* The index of a counter; false when the machine has none of that name. */
bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index);

#endif
