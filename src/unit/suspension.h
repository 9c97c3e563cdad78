/* Suspension bits: which threads wait for a result, and what the warp scheduler sees of it.
 *
 * A thread's bit is set when its instruction executes and cleared when the result is written back. The scheduler looks
 * at the OR over a warp's bits, registered: one cycle late. (Paper, section III-A, stages 1 and 5.) */
#ifndef SL_UNIT_SUSPENSION_H
#define SL_UNIT_SUSPENSION_H

#include "base/types.h"

/* What a suspended warp waits for. */
enum sl_wait { SL_WAIT_WRITE_BACK, SL_WAIT_UNIT, SL_WAIT_MEMORY, SL_WAIT_COUNT };

struct sl_suspension {
  sl_warps registered;             /* what the scheduler sees in this cycle */
  sl_warps live;                   /* warps with a bit set */
  sl_warps waiting[SL_WAIT_COUNT]; /* by the kind of what they wait for */
  sl_lanes lanes[SL_MAX_WARPS];
};

/* Start of the clock edge that ends a cycle: the registered copy follows the bits as they were in the cycle. */
static inline void sl_suspension_clock(struct sl_suspension *s)
{
  s->registered = s->live;
}

static inline void sl_suspension_set(struct sl_suspension *s, unsigned warp, sl_lanes lanes, enum sl_wait wait)
{
  s->lanes[warp] |= lanes;
  s->live |= sl_bit(warp);
  s->waiting[wait] |= sl_bit(warp);
}

/* Of lanes that are suspended, or none. Whether the warp goes on is hard to foretell: no branch on it. */
static inline void sl_suspension_clear(struct sl_suspension *s, unsigned warp, sl_lanes lanes)
{
  const sl_lanes left = s->lanes[warp] & ~lanes;
  const sl_warps others = ~((sl_warps)(left == 0) << warp);
  s->lanes[warp] = left;
  s->live &= others;
  for (unsigned w = 0; w < SL_WAIT_COUNT; w++)
    s->waiting[w] &= others;
}

#endif
