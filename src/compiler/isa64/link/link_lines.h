/* Source lines of a program as debug information (DWARF 4): one compilation unit with all code, and a line table. */
#ifndef SL_BACKEND_LINK_LINES_H
#define SL_BACKEND_LINK_LINES_H

#include "compiler/isa64/link/link_bytes.h"
#include "compiler/isa64/link/link_state.h"

struct sl_link_debug {
  struct sl_link_bytes line, info, abbrev; /* .debug_line, .debug_info, .debug_abbrev; empty without lines */
};

enum sl_status sl_link_lines(const struct sl_link *link, struct sl_link_debug *debug, struct sl_error *err);
void sl_link_lines_free(struct sl_link_debug *debug);

#endif
