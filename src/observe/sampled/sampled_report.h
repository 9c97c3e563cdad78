/* What sampled timing has to say of itself: how much was timed, how sure the estimate of cycles is, and whether windows
 * change with their distance from what was skipped, as text and as JSON.
 *
 * The JSON: version, estimated, measure (a counter), executed and timed (of it), windows, cycles {value, bar, percent},
 * bars {counter: bar}, kernels, drifting_kernels. A bar is half of the 95 % interval, null when it is not known. */
#ifndef SL_OBSERVE_SAMPLED_SAMPLED_REPORT_H
#define SL_OBSERVE_SAMPLED_SAMPLED_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "gpu/device.h"

/* Of a run whose launches came to so many cycles. */
void sl_sampled_print(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles, FILE *file);

/* The bar in percent of so many cycles; not finite: it is not known. */
double sl_sampled_percent(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles);

json_t *sl_sampled_json(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles);

#endif
