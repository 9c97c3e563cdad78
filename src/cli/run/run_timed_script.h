/* simtlab run -m sm7 X.launch: a launch description with timing. */
#ifndef SL_CLI_RUN_TIMED_SCRIPT_H
#define SL_CLI_RUN_TIMED_SCRIPT_H

#include "cli/options.h"

/* Runs it on the machine chosen: sums on standard output; cycles, counters and the host's speed on standard error.
 * `limit` is of cycles per launch, 0: none. */
enum sl_status sl_run_timed_script(const char *path, const struct sl_machine_choice *choice, uint64_t limit, bool quiet,
                                   struct sl_error *err);

#endif
