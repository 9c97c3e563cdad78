/* Conventions of all commands, for --help and the manual pages: common options, exit statuses, environment. */
#ifndef SL_CLI_CONVENTIONS_H
#define SL_CLI_CONVENTIONS_H

#include "cli/options.h"

struct sl_convention {
  const char *name;
  const char *meaning;
};

/* The options that a command shares with others; all of them for NULL. */
const struct sl_option *sl_common_options(const struct sl_command *command);

/* Each list ends with a NULL name. */
extern const struct sl_convention sl_exit_statuses[], sl_environment[];

#endif
