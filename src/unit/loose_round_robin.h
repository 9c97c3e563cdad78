/* The schedule stage's choice: loose round robin.
 *
 * A binary tree over the warps, walked from the top under the guidance of a pointer that moves on by one every cycle,
 * whatever is picked: at each level into the pointer's half, or into the other one if no warp is ready there.
 * Combinational. Source: Simty paper (RR-8944), section 3.2, "schedule"; published RTL. */
#ifndef SL_UNIT_LOOSE_ROUND_ROBIN_H
#define SL_UNIT_LOOSE_ROUND_ROBIN_H

#include "base/types.h"

/* The warp picked from a set that is not empty; warps is a power of two. */
static inline unsigned sl_loose_round_robin(sl_warps ready, unsigned pointer, unsigned warps)
{
  if (ready >> pointer & 1)
    return pointer;
  unsigned first = 0;
  for (unsigned half = warps / 2; half > 0; half /= 2) {
    const unsigned side = pointer & half;
    const bool found = (ready & sl_low_bits(half) << (first + side)) != 0;
    first += found ? side : side ^ half;
  }
  return first;
}

#endif
