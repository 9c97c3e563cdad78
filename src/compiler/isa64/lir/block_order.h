/* Basic-block placement: puts blocks that often execute in sequence next to each other, which minimises jumps.
 *
 * K. Pettis and R. C. Hansen, "Profile guided code positioning", PLDI 1990, section 4: joins chains of blocks along the
 * most frequent edges from the end of one to the beginning of another. */
#ifndef SL_BACKEND_BLOCK_ORDER_H
#define SL_BACKEND_BLOCK_ORDER_H

#include "compiler/isa64/mir/mir.h"

/* Writes the order, one element per block; the first block stays first. False: out of memory. */
bool sl_block_order(const struct sl_mir_function *f, const double *frequency, uint32_t *order);

#endif
