/* Call graph analysis: finds the functions that the lanes of a warp run together. One lane, or a host CPU without
 * annotations, runs `main` and the functions that only `main` calls. */
#ifndef SL_MARKS_LANE_FUNCTIONS_H
#define SL_MARKS_LANE_FUNCTIONS_H

#include "marks/tool.h"

/* Returns the functions to annotate; the caller frees them. On Vortex these are all that lanes may run, except those
 * with manual annotations. On SIMTight these are the functions that only kernels call: the host CPU faults on
 * annotations, and lanes compute correctly without them. */
struct sl_lane_function *sl_lane_functions(const struct sl_tool *tool, size_t *count);

#endif
