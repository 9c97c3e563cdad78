#include "observe/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/safe_text.h"

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

static int print_text(FILE *file, const char *text)
{
  int written = 0;
  while (*text != '\0' && written >= 0) {
    char piece[SL_SAFE_PIECE];
    text += sl_safe_next(text, piece);
    written = fputs(piece, file) < 0 ? -1 : written + (int)strlen(piece);
  }
  return written;
}

__attribute__((format(printf, 2, 0))) static int print_list(FILE *file, const char *format, va_list args)
{
  char some[512], *text = some;
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(some, sizeof some, format, args);
  if (length >= (int)sizeof some) {
    text = malloc((size_t)length + 1);
    if (text != NULL)
      vsnprintf(text, (size_t)length + 1, format, again);
  }
  va_end(again);
  const int written = length < 0 || text == NULL ? -1 : print_text(file, text);
  if (text != some)
    free(text);
  return written;
}

int sl_print(FILE *file, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const int written = print_list(file, format, args);
  va_end(args);
  return written;
}

#define REDRAW_SECONDS 0.1

double sl_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sl_progress_init(struct sl_progress *progress, FILE *file, bool quiet)
{
  const struct sl_terminal terminal = sl_terminal_of(file);
  *progress = (struct sl_progress){.file = file, .enabled = !quiet && terminal.redraws};
  progress->colour = progress->enabled && terminal.colour;
  progress->next = sl_seconds() + REDRAW_SECONDS;
}

bool sl_progress_due(struct sl_progress *progress)
{
  if (!progress->enabled)
    return false;
  double now = sl_seconds();
  if (now < progress->next)
    return false;
  progress->next = now + REDRAW_SECONDS;
  return true;
}

void sl_progress_draw(struct sl_progress *progress, const char *line)
{
  if (!progress->enabled)
    return;
  const char *begin = progress->colour ? "\033[2m" : "", *end = progress->colour ? "\033[0m" : "";
  fprintf(progress->file, "\r\033[K%s", begin);
  sl_print(progress->file, "%.79s", line);
  fputs(end, progress->file);
  fflush(progress->file);
  progress->shown = true;
}

void sl_progress_hide(struct sl_progress *progress)
{
  if (!progress->shown)
    return;
  fputs("\r\033[K", progress->file);
  fflush(progress->file);
  progress->shown = false;
}
