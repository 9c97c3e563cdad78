/* What holds for all commands, each said once for --help and the manual pages: options, exit statuses, environment. */
#ifndef SL_CLI_CONVENTIONS_H
#define SL_CLI_CONVENTIONS_H

#include "cli/options.h"

struct sl_convention {
  const char *name;
  const char *meaning;
};

/* Options that a command has with the others; of NULL all of them. */
const struct sl_option *sl_common_options(const struct sl_command *command);

/* Lists that end with a NULL name. */
extern const struct sl_convention sl_exit_statuses[], sl_environment[];

#endif
