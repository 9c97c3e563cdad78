/* A sub-command: its help texts and its function. */
#ifndef SL_CLI_COMMAND_H
#define SL_CLI_COMMAND_H

#include "base/error.h"
#include "base/types.h"

enum { SL_NAMED_OPERANDS = 2, SL_COMMANDS_MOST = 32 };

struct sl_option;
struct sl_command;

/* Receives the options of a command instead of running it. Manual pages and completions use it. */
struct sl_option_reader {
  void (*read)(void *context, const struct sl_command *command, const struct sl_option *options);
  void *context;
};

struct sl_command {
  const char *name;
  const char *operands;                   /* for the usage line: "[OPTION]... PROGRAM.elf [ARGUMENT]..." */
  const char *summary;                    /* one line, for the list of commands */
  const char *details;                    /* further lines of the command's help, or NULL */
  const char *operand[SL_NAMED_OPERANDS]; /* kinds of the first operands (help/values.h); NULL: files */
  bool no_tables;                         /* prints no tables, so --color does not apply */
  bool listing;                           /* only prints: a closed pipe is not an error */
  /* The caller sets both. With a reader, --help passes the options to it instead of printing them. `all` lists the
   * commands and ends with NULL. */
  const struct sl_option_reader *reader;
  const struct sl_command *const *all;
  /* argv[0] is the sub-command. An error with an empty sentence only sets the exit status. */
  enum sl_status (*run)(const struct sl_command *command, int argc, char **argv, struct sl_error *err);
};

/* Finds a command by name in a list that ends with NULL. Returns NULL with an error if there is none. */
const struct sl_command *sl_command_find(const struct sl_command *const *commands, const char *name,
                                         struct sl_error *err);

extern const struct sl_command sl_run_command, sl_bench_command, sl_verify_command, sl_machines_command,
    sl_show_command, sl_disasm_command, sl_diff_commits_command, sl_cc_command, sl_profile_command, sl_paper_command,
    sl_compare_command, sl_help_command, sl_explain_command, sl_linear_command, sl_sweep_command, sl_query_command,
    sl_diff_command;

#endif
