/* SIMTight's suspension bits: the threads that wait for a result, and the warp scheduler's view of them.
 *
 * The execute stage sets a thread's bit. The write-back of the result clears it. The scheduler sees the registered OR
 * over a warp's bits, one cycle late. Source: paper, section III-A, stages 1 and 5. */
#ifndef SL_UNIT_SUSPENSION_H
#define SL_UNIT_SUSPENSION_H

#include "base/types.h"

/* The event that a suspended warp waits for. */
enum sl_wait { SL_WAIT_WRITE_BACK, SL_WAIT_UNIT, SL_WAIT_MEMORY, SL_WAIT_COUNT };

struct sl_suspension {
  sl_warps registered;             /* the scheduler's view in this cycle */
  sl_warps live;                   /* warps with a set bit */
  sl_warps waiting[SL_WAIT_COUNT]; /* warps by kind of wait */
  sl_lanes lanes[SL_MAX_WARPS];
};

/* Starts the clock edge that ends a cycle: the registered copy takes the bits of the cycle. */
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

/* Clears the bits of lanes that are suspended, or of none. The code has no branch on whether the warp resumes: that is
 * hard to predict. */
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
