/* Divergence analysis: finds values of a function that may differ between the lanes at one place, by data flow to a
 * fixpoint. Three rules make a value divergent: it is computed from divergent values; it merges paths after a divergent
 * branch (control dependence); it is used after a loop that lanes leave in different iterations.
 *
 * The function is in LCSSA form: a value used after a loop passes through a PHI there. */
#ifndef SL_MARKS_DIVERGENCE_H
#define SL_MARKS_DIVERGENCE_H

#include "compiler/reconverge/flow.h"

struct sl_divergence {
  LLVMValueRef *differing; /* hash table of 2^bits places */
  size_t bits, count;
  bool *meets; /* per block: diverged paths or iterations merge in it */
  bool *split; /* per block: it ends with a divergent branch */
};

/* `same_parameters`: the function's parameters are uniform, as a kernel's are. */
void sl_divergence_find(struct sl_divergence *divergence, const struct sl_flow *flow, LLVMValueRef function,
                        bool same_parameters);
void sl_divergence_free(struct sl_divergence *divergence);

bool sl_differs(const struct sl_divergence *divergence, LLVMValueRef value);

#endif
