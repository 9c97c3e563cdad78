/* Which values of a function may differ between the lanes that are at one place, by the rules of data flow to a
 * fixpoint: what is computed from differing values differs, what comes together behind a branch on which lanes disagree
 * does (control dependence), and so does what is seen behind a loop that lanes leave after different numbers of turns.
 *
 * The function is in LCSSA form: what is used behind a loop passes a PHI there. */
#ifndef SL_MARKS_DIVERGENCE_H
#define SL_MARKS_DIVERGENCE_H

#include "marks/flow.h"

struct sl_divergence {
  LLVMValueRef *differing; /* hash table of 2^bits places */
  size_t bits, count;
  bool *meets; /* by block: lanes that took different ways, or turns, come together in it */
  bool *split; /* by block: it ends with a branch on which lanes may disagree */
};

/* `same_parameters`: those of the function are the same for all lanes, as a kernel's are. */
void sl_divergence_find(struct sl_divergence *divergence, const struct sl_flow *flow, LLVMValueRef function,
                        bool same_parameters);
void sl_divergence_free(struct sl_divergence *divergence);

bool sl_differs(const struct sl_divergence *divergence, LLVMValueRef value);

#endif
