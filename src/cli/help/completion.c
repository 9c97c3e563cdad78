#include "cli/help/completion.h"

#include <stdio.h>
#include <string.h>

static void read_command(void *context, const struct sl_command *command, const struct sl_option *options)
{
  const struct sl_shell *shell = context;
  shell->command(command, options);
}

enum sl_status sl_completion_print(const char *shell, const struct sl_command *const *commands, struct sl_error *err)
{
  static struct sl_shell const *const shells[] = {&sl_bash, &sl_zsh, &sl_fish};
  static const char *const names[] = {"bash", "zsh", "fish"};
  size_t which = 0;
  while (which < 3 && strcmp(shells[which]->name, shell) != 0)
    which++;
  if (which == 3)
    return sl_unknown(err, "shell", shell, names, 3);
  struct sl_shell chosen = *shells[which];
  const struct sl_option_reader reader = {read_command, &chosen};
  enum sl_status code = SL_OK;
  chosen.begin(commands);
  for (size_t i = 0; commands[i] != NULL && code == SL_OK; i++)
    code = sl_read_options(commands[i], commands, &reader, err);
  chosen.end(commands);
  return code;
}
