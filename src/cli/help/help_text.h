/* The --help texts of simtlab and of its commands, wrapped to the terminal's width. */
#ifndef SL_CLI_HELP_HELP_TEXT_H
#define SL_CLI_HELP_HELP_TEXT_H

#include "cli/options.h"

void sl_help_print(const struct sl_command *command, const struct sl_option *options);

/* Prints the commands and their conventions; the list ends with NULL. */
void sl_help_overview(const struct sl_command *const *commands);

enum { SL_PARAGRAPH = 2048 };

/* Takes the next paragraph of a command's details, joined into one line; NULL at the end. An indented line, as in a
 * list, is a paragraph of its own and keeps its indent. */
const char *sl_help_paragraph(const char *details, char text[SL_PARAGRAPH]);

/* Conventions of all commands, for --help and the manual pages: common options, exit statuses, environment. */

struct sl_convention {
  const char *name;
  const char *meaning;
};

/* The options that a command shares with others; all of them for NULL. */
const struct sl_option *sl_common_options(const struct sl_command *command);

/* Each list ends with a NULL name. */
extern const struct sl_convention sl_exit_statuses[], sl_environment[];

#endif
