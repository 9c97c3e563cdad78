/* What simtlab verify says of a comparison within bounds. */
#ifndef SL_CLI_VERIFY_BOUNDS_H
#define SL_CLI_VERIFY_BOUNDS_H

#include <jansson.h>
#include <stdio.h>

#include "cli/verify/bounds.h"

/* A row per kernel, slope, and number of instructions that differs; `quiet`: only those outside the bounds. Then a
 * summary. `machine` and `configuration` are the names of ours and the recorded one. */
void sl_verify_bounds_print(FILE *file, const char *machine, const char *configuration, const struct sl_bounds *bounds,
                            const struct sl_bounded_run *run, size_t count, bool quiet);

/* The same as an object with "bounds", "kernels", "slopes", "miscounted", "failed" and "holds". */
json_t *sl_verify_bounds_json(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count);

/* One program: its values, and its slope when it has one. */
json_t *sl_bounded_run_json(const struct sl_bounded_run *run, size_t count, size_t i);

#endif
