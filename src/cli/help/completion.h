/* Shell completions: commands, options, and their values. */
#ifndef SL_CLI_HELP_COMPLETION_H
#define SL_CLI_HELP_COMPLETION_H

#include "cli/options.h"

/* Prints the script for "bash", "zsh" or "fish". */
enum sl_status sl_completion_print(const char *shell, struct sl_error *err);

/* Prints what completes the last of the words after `simtlab`: a line with '-' and the letters of what else can, f for
 * files, d for folders, n for a list with commas, a for a name before '='; then the words, with their meanings after
 * tabs. The list of commands ends with NULL. */
enum sl_status sl_complete(char *const *words, int count, const struct sl_command *const *commands,
                           struct sl_error *err);

/* Prints the words of a list, one per line. */
enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err);

#endif
