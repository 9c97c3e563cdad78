/* Inserts reconvergence annotations into functions: finds divergent branches, restructures where they are not nested,
 * replaces what code generation would turn into branches, and places annotations around divergent branches, inner ones
 * first. */
#ifndef SL_MARKS_ANNOTATE_H
#define SL_MARKS_ANNOTATE_H

#include "compiler/reconverge/tool.h"

bool sl_annotate(const struct sl_tool *tool, struct sl_lane_function *functions, size_t count);

#endif
