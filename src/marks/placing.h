/* Places annotations around divergent, nested branches, inner ones first. */
#ifndef SL_MARKS_PLACING_H
#define SL_MARKS_PLACING_H

#include "marks/divergence.h"
#include "marks/tool.h"

/* Tags the divergent branches of a function for sl_place_marks, which runs after PHIs have been moved to memory.
 * Returns their number. */
unsigned sl_note_branches(const struct sl_tool *tool, const struct sl_flow *flow,
                          const struct sl_divergence *divergence);

/* Places the annotations; the function has no PHIs. Returns the number of branches that cannot be annotated, and
 * reports their places on standard error. */
unsigned sl_place_marks(const struct sl_tool *tool, LLVMValueRef function);

#endif
