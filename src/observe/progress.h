/* Progress line on a terminal: redrawn in place a few times per second, erased when hidden. On other files it prints
 * nothing.
 *
 * Only one thread at a time may use it. */
#ifndef SL_OBSERVE_PROGRESS_H
#define SL_OBSERVE_PROGRESS_H

#include <stdio.h>

#include "base/types.h"

struct sl_progress {
  FILE *file;
  bool enabled; /* the file is a terminal that can redraw a line */
  bool colour;  /* the terminal also has colours */
  bool shown;
  double next; /* time before which the line is not redrawn */
};

void sl_progress_init(struct sl_progress *progress, FILE *file, bool quiet);

/* Whether the next redraw is due; false if the file is no terminal. */
bool sl_progress_due(struct sl_progress *progress);

/* Draws a line, truncated to 79 columns. */
void sl_progress_draw(struct sl_progress *progress, const char *line);

/* Erases the line, before other output to the same terminal. */
void sl_progress_hide(struct sl_progress *progress);

/* Seconds of a monotonic clock. */
double sl_seconds(void);

#endif
