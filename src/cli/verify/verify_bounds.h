/* Reports of simtlab verify for comparisons within bounds. */
#ifndef SL_CLI_VERIFY_BOUNDS_H
#define SL_CLI_VERIFY_BOUNDS_H

#include <jansson.h>
#include <stdio.h>

#include "cli/verify/bounds.h"

/* Prints a row per kernel, per slope and per differing instruction count; `quiet`: only those out of bounds. A summary
 * follows. `machine` and `configuration` name the simulated and the recorded machine. */
void sl_verify_bounds_print(FILE *file, const char *machine, const char *configuration, const struct sl_bounds *bounds,
                            const struct sl_bounded_run *run, size_t count, bool quiet);

/* The same as a JSON object with "bounds", "kernels", "slopes", "miscounted", "failed" and "holds". */
json_t *sl_verify_bounds_json(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count);

/* One program: its values, and its slope if it has one. */
json_t *sl_bounded_run_json(const struct sl_bounded_run *run, size_t count, size_t i);

#endif
