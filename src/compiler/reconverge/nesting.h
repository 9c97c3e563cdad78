/* Finds the reconvergence point of a divergent branch, and checks that no other edge enters or leaves the region
 * between them. Only then can annotations enclose it. */
#ifndef SL_MARKS_NESTING_H
#define SL_MARKS_NESTING_H

#include "compiler/reconverge/flow.h"

enum sl_nest {
  SL_NEST_STATEMENT, /* from the branch to its post-dominator */
  SL_NEST_LOOP,      /* it is the loop's only exit, passed in every iteration */
  SL_NEST_NONE,      /* neither: another edge enters or leaves */
};

enum sl_nest sl_nest_of(const struct sl_flow *flow, unsigned branch);

/* Returns the block before a loop that only the loop follows, or SL_NO_BLOCK. */
unsigned sl_preheader(const struct sl_flow *flow, unsigned header);

#endif
