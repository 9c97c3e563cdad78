/* Constructors and destructors. LLVM's C interface would list them in older sections (.ctors, .dtors), which the start
 * code does not read. */
#ifndef SL_MARKS_CONSTRUCTORS_H
#define SL_MARKS_CONSTRUCTORS_H

#include "marks/tool.h"

/* Lists the module's functions in .init_array and .fini_array, by priority. Must run after all passes. */
void sl_list_constructors(const struct sl_tool *tool);

#endif
