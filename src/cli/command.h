/* A sub-command: what --help says about it and the function that does it. */
#ifndef SL_CLI_COMMAND_H
#define SL_CLI_COMMAND_H

#include "base/error.h"
#include "base/types.h"

enum { SL_NAMED_OPERANDS = 2, SL_COMMANDS_MOST = 32 };

struct sl_option;
struct sl_command;

/* Asks for the options of a command instead of running it: a manual page and a completion are made of them. */
struct sl_option_reader {
  void (*read)(void *context, const struct sl_command *command, const struct sl_option *options);
  void *context;
};

struct sl_command {
  const char *name;
  const char *operands;                   /* of the usage line: "[OPTION]... PROGRAM.elf [ARGUMENT]..." */
  const char *summary;                    /* one line, for the list of commands */
  const char *details;                    /* more lines for its own help, or NULL */
  const char *operand[SL_NAMED_OPERANDS]; /* its first ones as help/values.h knows them, NULL: files */
  bool no_tables;                         /* and hence no colours */
  bool listing;                           /* it only prints: a reader that has gone has what it wanted */
  /* Set by who runs it: --help is then told to this reader in place of printed, and what commands there are, NULL at
   * the end. */
  const struct sl_option_reader *reader;
  const struct sl_command *const *all;
  /* argv[0] is the sub-command. An error with an empty sentence is only an exit status. */
  enum sl_status (*run)(const struct sl_command *command, int argc, char **argv, struct sl_error *err);
};

/* The command of that name in a list that ends with NULL; NULL, with a sentence, for none. */
const struct sl_command *sl_command_find(const struct sl_command *const *commands, const char *name,
                                         struct sl_error *err);

extern const struct sl_command sl_run_command, sl_bench_command, sl_verify_command, sl_machines_command,
    sl_show_command, sl_disasm_command, sl_diff_commits_command, sl_cc_command, sl_profile_command, sl_paper_command,
    sl_compare_command, sl_help_command, sl_explain_command, sl_linear_command;

#endif
