#include "observe/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80, NARROWEST = 40, WIDEST = 1000 };

static const char *variable(const char *name)
{
  const char *value = getenv(name);
  return value != NULL ? value : "";
}

static unsigned columns_of(FILE *file, bool terminal)
{
  struct winsize size;
  unsigned long columns = 0;
  if (terminal && ioctl(fileno(file), TIOCGWINSZ, &size) == 0)
    columns = size.ws_col;
  if (columns == 0)
    columns = strtoul(variable("COLUMNS"), NULL, 10);
  if (columns == 0 || columns > WIDEST)
    return USUAL;
  return columns < NARROWEST ? NARROWEST : (unsigned)columns;
}

struct sl_terminal sl_terminal_of(FILE *file)
{
  const char *wish = variable("SIMTLAB_COLOR"), *kind = variable("TERM");
  const bool terminal = isatty(fileno(file)) == 1;
  const bool able = terminal && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
  const bool colour = able && variable("NO_COLOR")[0] == '\0';
  return (struct sl_terminal){.columns = columns_of(file, terminal),
                              .redraws = able,
                              .colour = (colour && strcmp(wish, "never") != 0) || strcmp(wish, "always") == 0};
}
