/* simtlab help: prints a command's help as text, as a manual page, or as shell completions. */
#include <stdio.h>

#include "cli/help/completion.h"
#include "cli/help/help_text.h"
#include "cli/help/man_page.h"
#include "cli/help/values.h"

static void read_page(void *context, const struct sl_command *command, const struct sl_option *options)
{
  (void)context;
  sl_man_command(command, options);
}

static enum sl_status help_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option_reader page = {read_page, NULL};
  bool man = false;
  const char *shell = NULL, *list = NULL;
  const struct sl_option options[] = {
      {0, "man", SL_OPTION_FLAG, NULL, "as a manual page, for man -l", &man},
      {0, "completion", SL_OPTION_TEXT, "bash|zsh|fish", "print completions for this shell", &shell},
      {0, "list", SL_OPTION_TEXT, "LIST", "words: machines, keys, benchmarks, fields, papers, commands, terms", &list},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count > 1)
    return sl_fail(err, SL_USAGE, "help is about one command at a time, not '%.80s' too", operands.items[1]);
  if (shell != NULL)
    return sl_completion_print(shell, command->all, err);
  if (list != NULL)
    return sl_print_list(list, command->all, err);
  if (operands.count > 0) {
    const struct sl_command *about = sl_command_find(command->all, operands.items[0], err);
    return about != NULL ? sl_read_options(about, command->all, man ? &page : NULL, err) : err->code;
  }
  if (man)
    sl_man_overview(command->all);
  else
    sl_help_overview(command->all);
  return SL_OK;
}

const struct sl_command sl_help_command = {
    .name = "help",
    .operands = "[COMMAND] [OPTION]...",
    .operand = {"COMMAND"},
    .summary = "Show the help of a command, like --help",
    .details = "Manual pages and shell completions come from the same tables. To use them without installing:\n"
               "\n  simtlab help --man run | man -l -\n  source <(simtlab help --completion bash)\n",
    .listing = true,
    .run = help_command,
};
