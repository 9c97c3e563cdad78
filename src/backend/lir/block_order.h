/* The order of a function's blocks in memory: what is often executed in a row is in a row, so that few jumps are
 * needed.
 *
 * K. Pettis and R. C. Hansen, "Profile guided code positioning", PLDI 1990, section 4: chains of blocks are joined
 * along the most frequent edges from the end of one to the beginning of another. */
#ifndef SL_BACKEND_BLOCK_ORDER_H
#define SL_BACKEND_BLOCK_ORDER_H

#include "backend/mir/mir.h"

/* Into order, one for each block; the first one stays first. False without memory. */
bool sl_block_order(const struct sl_mir_function *f, const double *frequency, uint32_t *order);

#endif
