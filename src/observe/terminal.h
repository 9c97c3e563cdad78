/* What a stream can show: how many columns, and whether colours.
 *
 * A terminal tells its width; elsewhere, such as in a pipe, COLUMNS does, and 80 columns are taken without it.
 * Colours are for terminals that have them (TERM), unless NO_COLOR is set; SIMTLAB_COLOR, `always` or `never`, has the
 * last word. */
#ifndef SL_OBSERVE_TERMINAL_H
#define SL_OBSERVE_TERMINAL_H

#include <stdio.h>

#include "base/types.h"

struct sl_terminal {
  unsigned columns; /* at least 40 */
  bool redraws;     /* a line can be drawn again in its place */
  bool colour;
};

struct sl_terminal sl_terminal_of(FILE *file);

/* Like fprintf, but what names of others have that a terminal would obey is escaped (base/safe_text.h). The format
 * itself is the caller's and may have ends of lines and tabs only. Bytes written, below 0 when it could not be. */
int sl_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
