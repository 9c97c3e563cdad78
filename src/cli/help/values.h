/* What can stand in the place of an option's value or an operand, told by its name in the help, such as FILE: for
 * completions. */
#ifndef SL_CLI_VALUES_H
#define SL_CLI_VALUES_H

#include "cli/options.h"

struct sl_values {
  const char *argument; /* the name in the help */
  const char *list;     /* "machines": words that `simtlab help --list machines` writes; NULL: none */
  bool files;           /* a file, also */
  bool folders;         /* a folder */
  bool several;         /* with commas between them */
  bool assigned;        /* '=' and something follows */
};

/* What a name in the help stands for; NULL: anything. A name with small letters and | is its own list. */
const struct sl_values *sl_values_of(const char *argument);
bool sl_is_choice(const char *argument);

/* The choices of "small|paper", with blanks between them; "" for what is no choice. */
const char *sl_choice_words(const char *argument, char words[128]);

/* Of an operand of a command, by number from 0. */
const struct sl_values *sl_operand_values(const struct sl_command *command, unsigned number);

/* Prints the words of a list, one a line. */
enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err);

#endif
