/* Capabilities of an output stream: columns and colours.
 *
 * The width is the terminal's; elsewhere, such as in a pipe, it is COLUMNS, or 80 if this is unset. Colours require a
 * terminal with colours (TERM) and no NO_COLOR. SIMTLAB_COLOR, `always` or `never`, overrides both. */
#ifndef SL_OBSERVE_TERMINAL_H
#define SL_OBSERVE_TERMINAL_H

#include <stdio.h>

#include "base/types.h"

struct sl_terminal {
  unsigned columns; /* at least 40 */
  bool redraws;     /* the terminal can redraw a line in place */
  bool colour;
};

struct sl_terminal sl_terminal_of(FILE *file);

/* Like fprintf, but what names of others have that a terminal would obey is escaped (base/safe_text.h). The format
 * itself is the caller's and may have ends of lines and tabs only. Bytes written, below 0 when it could not be. */
int sl_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Progress line on a terminal: redrawn in place a few times per second, erased when hidden. On other files it prints
 * nothing.
 *
 * Only one thread at a time may use it. */

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
