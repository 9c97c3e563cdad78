/* Which functions of a module lanes of a warp run together, by who calls whom. `main` and what only it calls is run by
 * one lane, or by a host CPU that knows no marks. */
#ifndef SL_MARKS_LANE_FUNCTIONS_H
#define SL_MARKS_LANE_FUNCTIONS_H

#include "marks/tool.h"

/* Those that are to be marked; the caller frees them. On Vortex all that may be run by lanes, but those with marks by
 * hand. Of SIMTight, whose host CPU faults on marks and whose lanes are right without, only what kernels alone call. */
struct sl_lane_function *sl_lane_functions(const struct sl_tool *tool, size_t *count);

#endif
