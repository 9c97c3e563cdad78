#include "observe/progress.h"

#include <time.h>

#include "observe/terminal.h"

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
