/* What --help prints: of one command, and of simtlab. Lines are as wide as the terminal. */
#ifndef SL_CLI_HELP_TEXT_H
#define SL_CLI_HELP_TEXT_H

#include "cli/options.h"

void sl_help_print(const struct sl_command *command, const struct sl_option *options);

/* The commands and what holds for all of them; the list ends with NULL. */
void sl_help_overview(const struct sl_command *const *commands);

enum { SL_PARAGRAPH = 2048 };

/* Takes the next paragraph off a command's details, in one line; NULL at the end. A line that begins with blanks, of a
 * list, is one by itself and keeps them. */
const char *sl_help_paragraph(const char *details, char text[SL_PARAGRAPH]);

/* "--name ARGUMENT" or "-n ARGUMENT", into text; returns text. */
const char *sl_option_form(const struct sl_option *option, char text[80]);

#endif
