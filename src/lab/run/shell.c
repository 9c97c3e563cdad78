#include "lab/run/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sl_shell_quote(const char *text, char *word, size_t size)
{
  size_t used = 0;
  word[used++] = '\'';
  for (; *text != '\0' && used + 6 < size; text++)
    if (*text == '\'')
      used += (size_t)snprintf(word + used, size - used, "'\\''");
    else
      word[used++] = *text;
  word[used++] = '\'';
  word[used] = '\0';
}

int sl_shell(const char *folder, const char *command, int (*put)(void *context, uint8_t byte), void *context)
{
  const size_t size = 4 * strlen(folder) + strlen(command) + 64;
  char *line = malloc(size);
  if (line == NULL)
    return -1;
  snprintf(line, size, "cd ");
  sl_shell_quote(folder, line + 3, size - 3);
  snprintf(line + strlen(line), size - strlen(line), " && { %s\n} </dev/null 2>&1", command);
  FILE *pipe = popen(line, "re");
  free(line);
  for (int byte; pipe != NULL && (byte = getc(pipe)) != EOF;)
    put(context, (uint8_t)byte);
  return pipe != NULL ? pclose(pipe) : -1;
}
