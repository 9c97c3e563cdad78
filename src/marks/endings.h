/* One end for every way through a function, which restructuring it needs. */
#ifndef SL_MARKS_ENDINGS_H
#define SL_MARKS_ENDINGS_H

#include "marks/tool.h"

/* Where it cannot go on, the function returns; a loop that never ends gets an exit that is never taken, of which the
 * compiler does not know that. */
void sl_give_endings(const struct sl_tool *tool, LLVMValueRef function);

#endif
