/* Shell completion scripts: commands, options, and their values. The scripts get values from `simtlab help --list`. */
#ifndef SL_CLI_HELP_COMPLETION_H
#define SL_CLI_HELP_COMPLETION_H

#include "cli/options.h"

/* Prints the script for "bash", "zsh" or "fish"; the list of commands ends with NULL. */
enum sl_status sl_completion_print(const char *shell, const struct sl_command *const *commands, struct sl_error *err);

/* Prints the words of a list, one per line. */
enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err);

#endif
