/* Manual pages, in the macros of man(7). */
#ifndef SL_CLI_MAN_PAGE_H
#define SL_CLI_MAN_PAGE_H

#include "cli/options.h"

/* simtlab-COMMAND(1), and simtlab(1), which has the list of commands; to standard output. */
void sl_man_command(const struct sl_command *command, const struct sl_option *options);
void sl_man_overview(const struct sl_command *const *commands);

#endif
