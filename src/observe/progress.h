/* A progress line on a terminal: redrawn in place a few times a second, gone when hidden. Anywhere else it is silent.
 *
 * One thread at a time may use it. */
#ifndef SL_OBSERVE_PROGRESS_H
#define SL_OBSERVE_PROGRESS_H

#include <stdio.h>

#include "base/types.h"

struct sl_progress {
  FILE *file;
  bool enabled; /* the file is a terminal that can redraw a line */
  bool colour;  /* and has colours */
  bool shown;
  double next; /* time before which nothing is redrawn */
};

void sl_progress_init(struct sl_progress *progress, FILE *file, bool quiet);

/* True when it is time to draw again; never on anything but a terminal. */
bool sl_progress_due(struct sl_progress *progress);

/* Draws a line, cut to 79 columns. */
void sl_progress_draw(struct sl_progress *progress, const char *line);

/* Removes the line, for other output to the same terminal. */
void sl_progress_hide(struct sl_progress *progress);

/* Seconds of a clock that only goes forward. */
double sl_seconds(void);

#endif
