/* Where lanes that disagree on a branch meet again, and whether nothing else leads in between, so that marks can be
 * put around it. */
#ifndef SL_MARKS_NESTING_H
#define SL_MARKS_NESTING_H

#include "marks/flow.h"

enum sl_nest {
  SL_NEST_STATEMENT, /* from the branch to its post-dominator */
  SL_NEST_LOOP,      /* it is the loop's one exit, passed in every turn */
  SL_NEST_NONE,      /* neither: something leads in or out elsewhere */
};

enum sl_nest sl_nest_of(const struct sl_flow *flow, unsigned branch);

/* The block in front of a loop that nothing but the loop follows, or SL_NO_BLOCK. */
unsigned sl_preheader(const struct sl_flow *flow, unsigned header);

#endif
