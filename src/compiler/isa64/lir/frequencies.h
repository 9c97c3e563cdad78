/* Static block frequencies: executions of each block per call of the function, from branch probabilities.
 *
 * Y. Wu and J. R. Larus, "Static branch frequency and program profile analysis", MICRO 27, 1994: processes loops from
 * the innermost outwards, each with the probability of its back edge. An edge that does not lead forwards in a
 * depth-first order closes a loop, also a loop with several entries. */
#ifndef SL_BACKEND_FREQUENCIES_H
#define SL_BACKEND_FREQUENCIES_H

#include "compiler/isa64/mir/mir.h"

/* Writes one element per block; 0 for unreachable blocks. False: out of memory. */
bool sl_frequencies(const struct sl_mir_function *f, double *frequency);

#endif
