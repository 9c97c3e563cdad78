/* Branches of kernels for a machine whose warps have one program counter: those on which lanes may disagree and which
 * no mark precedes, in the program that was linked. The compiler places marks before it selects instructions, so only
 * the final code tells. */
#ifndef SL_TOOLCHAIN_LANES_LANE_BRANCHES_H
#define SL_TOOLCHAIN_LANES_LANE_BRANCHES_H

#include "toolchain/compile_order.h"
#include "toolchain/tools.h"

/* Adds a warning to the log for each of them. A program that cannot be read, or memory that there is not, has none. */
void sl_check_branches(const struct sl_compile_order *order, const char *path, struct sl_log *log);

#endif
