/* Manual pages in man(7) macros. */
#ifndef SL_CLI_MAN_PAGE_H
#define SL_CLI_MAN_PAGE_H

#include "cli/options.h"

/* Prints simtlab-COMMAND(1), or simtlab(1) with the list of commands, to standard output. */
void sl_man_command(const struct sl_command *command, const struct sl_option *options);
void sl_man_overview(const struct sl_command *const *commands);

#endif
