/* simtlab linear --ideal: instruction counts of a launch script on ideal machines. */
#ifndef SL_CLI_LINEAR_LINEAR_IDEALS_H
#define SL_CLI_LINEAR_LINEAR_IDEALS_H

#include "linear/linear_ideal.h"

/* Runs the script and prints a table. The table goes to standard error if the JSON (a file's name; NULL: none) goes to
 * standard output. */
enum sl_status sl_linear_ideals(const char *path, bool loads, const struct sl_linear_options *options, const char *json,
                                struct sl_error *err);

#endif
