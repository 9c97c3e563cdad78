/* How often each block of a function is executed per call, from the probabilities of its branches.
 *
 * Y. Wu and J. R. Larus, "Static branch frequency and program profile analysis", MICRO 27, 1994: loops from the
 * innermost outwards, each with the probability that it goes round again. An edge that does not lead forwards in a
 * depth-first order closes a loop, whether or not the loop has one entry. */
#ifndef SL_BACKEND_FREQUENCIES_H
#define SL_BACKEND_FREQUENCIES_H

#include "backend/mir/mir.h"

/* Into frequency, one for each block; 0 for those that are not reached. False without memory. */
bool sl_frequencies(const struct sl_mir_function *f, double *frequency);

#endif
