/* Values of options and operands, by their placeholder in the help, such as FILE. Completions use them. */
#ifndef SL_CLI_VALUES_H
#define SL_CLI_VALUES_H

#include "cli/options.h"

struct sl_values {
  const char *argument; /* placeholder in the help */
  const char *list;     /* list for `simtlab help --list`, such as "machines"; NULL: none */
  bool files;           /* a file is valid too */
  bool folders;         /* a folder is valid too */
  bool several;         /* a comma-separated list */
  bool assigned;        /* '=' and a value follow */
};

/* Finds a placeholder; NULL: any text. A placeholder in lower case with | is its own list of choices. */
const struct sl_values *sl_values_of(const char *argument);
bool sl_is_choice(const char *argument);

/* The choices of "small|paper", separated by blanks; "" if the placeholder lists none. */
const char *sl_choice_words(const char *argument, char words[128]);

/* The value of a command's operand, numbered from 0. */
const struct sl_values *sl_operand_values(const struct sl_command *command, unsigned number);

/* Prints the words of a list, one per line. */
enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err);

#endif
