/* A launch script of PTX kernels as a run of a comparison. */
#ifndef SL_CLI_COMPARE_COMPARE_SCRIPT_H
#define SL_CLI_COMPARE_COMPARE_SCRIPT_H

#include "cli/compare/compare.h"
#include "cli/jobs.h"

/* SL_USAGE: the row's machine does not run PTX. */
enum sl_status sl_compare_script_check(const struct sl_compare_row *row, struct sl_error *err);

/* Runs the script on the row's machine and stores the results in the row. `limit` is in cycles per launch; 0: none. */
void sl_compare_script(struct sl_compare_row *row, uint64_t limit, struct sl_running *running);

#endif
