/* simtlab linear --check: runs the kernels of a launch script or program and compares values with their coefficient
 * vectors. */
#ifndef SL_CLI_LINEAR_LINEAR_CHECKED_H
#define SL_CLI_LINEAR_LINEAR_CHECKED_H

#include "cli/options.h"
#include "compiler/linear/linear_check.h"

/* Prints the number of compared values. SL_CHECK_FAILED with an error if one differs. */
enum sl_status sl_linear_checked(const char *path, const struct sl_linear_options *options, struct sl_error *err);

/* The same for a program, operands->items[0], with its arguments; its console is the command's. */
enum sl_status sl_linear_check_program(const struct sl_operands *operands, const char *named,
                                       const struct sl_linear_options *options, struct sl_error *err);

#endif
