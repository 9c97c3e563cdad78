/* Gives every path through a function an end, which restructuring requires. */
#ifndef SL_MARKS_ENDINGS_H
#define SL_MARKS_ENDINGS_H

#include "marks/tool.h"

/* At an unreachable end, the function returns. An infinite loop gets an exit that is never taken, which is opaque to
 * the compiler. */
void sl_give_endings(const struct sl_tool *tool, LLVMValueRef function);

#endif
