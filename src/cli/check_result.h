/* What a checked run means: findings on standard error, and the exit status. */
#ifndef SL_CLI_CHECK_RESULT_H
#define SL_CLI_CHECK_RESULT_H

#include "observe/check/check.h"

/* A run has ended with this code; of SL_FAULT, `fault` or else `err` is a finding. Prints new findings; returns the
 * code. */
enum sl_status sl_check_run_ended(struct sl_check *check, const struct sl_gpu_fault *fault, enum sl_status code,
                                  const struct sl_error *err);

/* The same after a run of machine code. */
enum sl_status sl_check_device_ended(struct sl_check *check, const struct sl_device *device, enum sl_status code,
                                     const struct sl_error *err);

/* The status of all runs, of which the last one ended with this code: SL_CHECK_FAILED if there are findings. */
enum sl_status sl_check_result(const struct sl_check *check, const char *program, bool quiet, enum sl_status code,
                               struct sl_error *err);

#endif
