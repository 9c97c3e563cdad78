/* simtlab linear --check: the kernels of a launch description, or of a program, are run and held to their vectors. */
#ifndef SL_CLI_LINEAR_LINEAR_CHECKED_H
#define SL_CLI_LINEAR_LINEAR_CHECKED_H

#include "cli/options.h"
#include "linear/linear_follow.h"

/* Prints how many values were compared. SL_CHECK_FAILED with a sentence when one differs. */
enum sl_status sl_linear_checked(const char *path, const struct sl_linear_options *options, struct sl_error *err);

/* The same of a program, which is operands->items[0], with its arguments; its console is the command's. */
enum sl_status sl_linear_check_program(const struct sl_operands *operands, const char *named,
                                       const struct sl_linear_options *options, struct sl_error *err);

/* What a check came to. */
enum sl_status sl_linear_tell(const char *path, const struct sl_linear_tally *tally, struct sl_error *err);

#endif
