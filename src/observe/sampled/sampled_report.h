/* Report of sampled timing, as text and as JSON: timed share, confidence interval of the estimated cycles, and drift of
 * windows with their distance from skipped execution.
 *
 * JSON: version, estimated, measure (a counter), executed and timed (of it), windows, cycles {value, bar, percent},
 * bars {counter: bar}, kernels, drifting_kernels. A bar is half of the 95 % confidence interval, null if unknown. */
#ifndef SL_OBSERVE_SAMPLED_SAMPLED_REPORT_H
#define SL_OBSERVE_SAMPLED_SAMPLED_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "gpu/device.h"

/* Prints the report of a run with this many cycles in total. */
void sl_sampled_print(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles, FILE *file);

/* Half of the confidence interval in percent of the cycles; not finite: unknown. */
double sl_sampled_percent(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles);

json_t *sl_sampled_json(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles);

#endif
