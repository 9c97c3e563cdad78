/* A launch description of PTX kernels as a run of a comparison. */
#ifndef SL_CLI_COMPARE_COMPARE_SCRIPT_H
#define SL_CLI_COMPARE_COMPARE_SCRIPT_H

#include "cli/compare/compare.h"
#include "cli/jobs.h"

/* SL_USAGE: the machine of the row runs no PTX. */
enum sl_status sl_compare_script_check(const struct sl_compare_row *row, struct sl_error *err);

/* Performs it on the row's machine, and has what came of it in the row. The limit is of cycles per launch, 0: none. */
void sl_compare_script(struct sl_compare_row *row, uint64_t limit, struct sl_running *running);

#endif
