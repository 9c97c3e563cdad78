/* SIMTight's barrier release unit: one bit per waiting warp, and a state machine that releases the warps of a block
 * together.
 *
 * SNAPSHOT copies the waiting bits and starts at warp 0. TEST checks whether the next `block` warps of the snapshot all
 * wait; it returns to SNAPSHOT when the snapshot is exhausted. RELEASE takes one cycle per warp of the block, and
 * releases the warps if the test succeeded. With no waiting warps the unit alternates between SNAPSHOT and TEST. A
 * block of 0 warps means all warps. Source: published RTL of SIMTight, barrier release unit. */
#ifndef SL_UNIT_BARRIER_H
#define SL_UNIT_BARRIER_H

#include "base/types.h"

enum sl_barrier_state { SL_BARRIER_SNAPSHOT, SL_BARRIER_TEST, SL_BARRIER_RELEASE };

struct sl_barrier {
  sl_warps waiting;
  unsigned state; /* enum sl_barrier_state */
  unsigned warps; /* warps of the SM */
  unsigned block; /* warps per block, modulo warps */
  sl_warps snapshot;
  bool success;
  unsigned warp, count;
};

static inline void sl_barrier_start(struct sl_barrier *b, unsigned warps, unsigned block, enum sl_barrier_state state)
{
  *b = (struct sl_barrier){.state = state, .warps = warps, .block = block & (warps - 1)};
}

/* Whether no warp waits and no release is in progress: the state machine only alternates. */
static inline bool sl_barrier_idle(const struct sl_barrier *b)
{
  return b->waiting == 0 && b->snapshot == 0 && b->state != SL_BARRIER_RELEASE;
}

/* Whether all warps of some block wait, so that the barrier is about to release them. */
static inline bool sl_barrier_opening(const struct sl_barrier *b)
{
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step)
    if (((b->waiting >> first) & sl_low_bits(step)) == sl_low_bits(step))
      return true;
  return false;
}

/* The warps of all blocks that wait completely. `step` warps form a block; it is a power of two. */
static inline sl_warps sl_barrier_whole(sl_warps waiting, unsigned step)
{
  static const sl_warps first[] = {UINT64_MAX,
                                   UINT64_C(0x5555555555555555),
                                   UINT64_C(0x1111111111111111),
                                   UINT64_C(0x0101010101010101),
                                   UINT64_C(0x0001000100010001),
                                   UINT64_C(0x0000000100000001),
                                   1}; /* bit w: warp w is the first of a block */
  for (unsigned have = 1; have < step; have *= 2)
    waiting &= waiting >> have; /* bit w: 2 * have warps from w on wait */
  return (waiting & first[sl_log2(step)]) * sl_low_bits(step);
}

/* Without timing: releases every block whose warps all wait, and returns the released warps. */
static inline sl_warps sl_barrier_open(struct sl_barrier *b)
{
  const unsigned step = b->block ? b->block : b->warps;
  sl_warps released = 0;
  if (b->waiting == 0)
    return 0;
  if (sl_is_pow2(step))
    released = sl_barrier_whole(b->waiting, step);
  else
    for (unsigned first = 0; first + step <= b->warps; first += step) {
      const sl_warps block = sl_low_bits(step) << first;
      released |= (b->waiting & block) == block ? block : 0;
    }
  b->waiting &= ~released;
  return released;
}

/* Advances an idle barrier by `cycles` cycles. */
static inline void sl_barrier_skip(struct sl_barrier *b, unsigned cycles)
{
  b->state ^= cycles & 1; /* alternates between SNAPSHOT and TEST */
}

/* Performs one cycle and returns the released warps. Warps that arrive in this cycle are added to `waiting` afterwards.
 * `paused`: no warp is released in this cycle. */
static inline sl_warps sl_barrier_cycle(struct sl_barrier *b, bool paused)
{
  if (sl_barrier_idle(b)) {
    sl_barrier_skip(b, 1);
    return 0;
  }
  sl_warps released = 0;
  switch ((enum sl_barrier_state)b->state) {
  case SL_BARRIER_SNAPSHOT:
    b->snapshot = b->waiting;
    b->warp = 0;
    b->state = SL_BARRIER_TEST;
    break;
  case SL_BARRIER_TEST: {
    sl_warps block = sl_low_bits(b->block ? b->block : b->warps);
    b->success = (b->snapshot & block) == block;
    b->count = 1;
    b->state = b->snapshot ? SL_BARRIER_RELEASE : SL_BARRIER_SNAPSHOT;
    break;
  }
  case SL_BARRIER_RELEASE:
    if (paused)
      break;
    if (b->success) {
      released = sl_bit(b->warp);
      b->waiting &= ~released;
    }
    b->snapshot >>= 1;
    b->warp = (b->warp + 1) & (b->warps - 1);
    if ((b->count & (b->warps - 1)) == b->block)
      b->state = SL_BARRIER_TEST;
    b->count = (b->count + 1) & (b->warps - 1);
    break;
  }
  return released;
}

#endif
