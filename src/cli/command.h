/* A sub-command: what --help says about it and the function that does it. */
#ifndef SL_CLI_COMMAND_H
#define SL_CLI_COMMAND_H

#include "base/error.h"
#include "base/types.h"

struct sl_command {
  const char *name;
  const char *operands; /* of the usage line: "[OPTION]... PROGRAM.elf [ARGUMENT]..." */
  const char *summary;  /* one line, for the list of commands */
  const char *details;  /* more lines for its own help, or NULL */
  bool options_first;   /* what follows the first operand is not ours */
  bool listing;         /* it only prints: a reader that has gone has what it wanted */
  /* argv[0] is the sub-command. An error with an empty sentence is only an exit status. */
  enum sl_status (*run)(const struct sl_command *command, int argc, char **argv, struct sl_error *err);
};

extern const struct sl_command sl_run_command, sl_bench_command, sl_verify_command, sl_machines_command,
    sl_show_command, sl_disasm_command, sl_diff_commits_command, sl_cc_command, sl_profile_command, sl_paper_command,
    sl_compare_command;

#endif
