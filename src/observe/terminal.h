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

#endif
