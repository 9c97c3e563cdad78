/* simtlab linear --check: a launch description's kernels are run and held to their vectors. */
#ifndef SL_CLI_LINEAR_LINEAR_CHECKED_H
#define SL_CLI_LINEAR_LINEAR_CHECKED_H

#include "linear/linear_vectors.h"

/* Prints how many values were compared. SL_CHECK_FAILED with a sentence when one differs. */
enum sl_status sl_linear_checked(const char *path, const struct sl_linear_options *options, struct sl_error *err);

#endif
