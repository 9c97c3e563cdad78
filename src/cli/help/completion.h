/* Shell completion scripts: commands, options, and their values. The scripts get values from `simtlab help --list`. */
#ifndef SL_CLI_HELP_COMPLETION_H
#define SL_CLI_HELP_COMPLETION_H

#include "cli/options.h"

/* Prints the script for "bash", "zsh" or "fish"; the list of commands ends with NULL. */
enum sl_status sl_completion_print(const char *shell, const struct sl_command *const *commands, struct sl_error *err);

/* Parts of a shell's script: the prologue, one option of a command, and so on. */
struct sl_shell {
  const char *name;
  void (*begin)(const struct sl_command *const *commands);
  void (*command)(const struct sl_command *command, const struct sl_option *options);
  void (*end)(const struct sl_command *const *commands);
};

extern const struct sl_shell sl_bash, sl_zsh, sl_fish;

#endif
