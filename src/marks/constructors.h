/* Functions that run before main and after it. LLVM, asked through its C interface, would list them in sections of an
 * older kind (.ctors, .dtors), which the start code does not read. */
#ifndef SL_MARKS_CONSTRUCTORS_H
#define SL_MARKS_CONSTRUCTORS_H

#include "marks/tool.h"

/* Lists those of the module in .init_array and .fini_array, by priority. To be called when no pass comes any more. */
void sl_list_constructors(const struct sl_tool *tool);

#endif
