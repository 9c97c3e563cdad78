#include "cli/command.h"

#include <string.h>

#include "cli/options.h"

const struct sl_command *sl_command_find(const struct sl_command *const *commands, const char *name,
                                         struct sl_error *err)
{
  const char *names[SL_COMMANDS_MOST];
  size_t count = 0;
  for (; commands[count] != NULL && count < SL_COMMANDS_MOST; count++) {
    names[count] = commands[count]->name;
    if (strcmp(name, names[count]) == 0)
      return commands[count];
  }
  sl_unknown(err, name[0] == '-' ? "option" : "command", name, names, count);
  return NULL;
}
