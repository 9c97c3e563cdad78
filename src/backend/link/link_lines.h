/* Source lines of a program as debug information (DWARF 4): one unit with all of its code and a line table. */
#ifndef SL_BACKEND_LINK_LINES_H
#define SL_BACKEND_LINK_LINES_H

#include "backend/link/link_bytes.h"
#include "backend/link/link_state.h"

struct sl_link_debug {
  struct sl_link_bytes line, info, abbrev; /* sections .debug_line and so on; empty when no line is known */
};

enum sl_status sl_link_lines(const struct sl_link *link, struct sl_link_debug *debug, struct sl_error *err);
void sl_link_lines_free(struct sl_link_debug *debug);

#endif
