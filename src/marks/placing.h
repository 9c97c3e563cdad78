/* Puts marks around the branches that were found to differ and to be nested, inner ones first. */
#ifndef SL_MARKS_PLACING_H
#define SL_MARKS_PLACING_H

#include "marks/divergence.h"
#include "marks/tool.h"

/* Notes on the branches of a function that lanes may disagree on them, for sl_place_marks, which looks at the function
 * after its PHIs have been put into memory. Returns how many there are. */
unsigned sl_note_branches(const struct sl_tool *tool, const struct sl_flow *flow,
                          const struct sl_divergence *divergence);

/* Places the marks; the function has no PHIs. Returns the number of branches that could not be marked, and says on
 * standard error where they are. */
unsigned sl_place_marks(const struct sl_tool *tool, LLVMValueRef function);

#endif
