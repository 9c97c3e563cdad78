/* SIMTight's history scheduler: a fair pick from a set of warps, in the warp scheduling stage.
 *
 * It picks the lowest-numbered available warp that is not in the history and adds it to the history. If all available
 * warps are in the history, it picks the lowest-numbered one, which becomes the whole history. With no available warp
 * the history is unchanged. The history also persists from kernel to kernel. Source: paper, section III-A, stage 1;
 * rule from the published RTL. */
#ifndef SL_UNIT_SCHEDULER_H
#define SL_UNIT_SCHEDULER_H

#include "base/types.h"

/* Simty's schedule stage: loose round robin.
 *
 * The stage walks a binary tree over the warps from the top. A pointer guides it; the pointer advances by one every
 * cycle, regardless of the pick. At each level the walk enters the pointer's half, or the other half if the pointer's
 * contains no ready warp. Combinational. Source: Simty paper (RR-8944), section 3.2, "schedule"; published RTL. */

/* Exchanges the warps w and w ^ 2^bit of a set, for all w, if that bit of the pointer is set. */
static inline sl_warps sl_loose_round_robin_turn(sl_warps set, unsigned bit, sl_warps low, unsigned pointer)
{
  const sl_warps turned = (set >> (1u << bit) & low) | (set & low) << (1u << bit);
  return sl_choose(pointer >> bit & 1, turned, set);
}

/* Picks a warp from a non-empty set: the warp w with the least w ^ pointer, because at each level the pointer's half
 * goes first. The pointer is less than the number of warps, a power of two. */
static inline unsigned sl_loose_round_robin(sl_warps ready, unsigned pointer)
{
  if (ready >> pointer & 1)
    return pointer;
  ready = sl_loose_round_robin_turn(ready, 0, UINT64_C(0x5555555555555555), pointer);
  ready = sl_loose_round_robin_turn(ready, 1, UINT64_C(0x3333333333333333), pointer);
  ready = sl_loose_round_robin_turn(ready, 2, UINT64_C(0x0f0f0f0f0f0f0f0f), pointer);
  ready = sl_loose_round_robin_turn(ready, 3, UINT64_C(0x00ff00ff00ff00ff), pointer);
  ready = sl_loose_round_robin_turn(ready, 4, UINT64_C(0x0000ffff0000ffff), pointer);
  ready = sl_loose_round_robin_turn(ready, 5, UINT64_C(0x00000000ffffffff), pointer);
  return sl_lowest(ready) ^ pointer;
}

struct sl_scheduler {
  sl_warps history;
};

/* Picks a warp from a non-empty set. */
static inline unsigned sl_scheduler_pick(struct sl_scheduler *s, sl_warps available)
{
  sl_warps fresh = available & ~s->history;
  if (fresh) {
    unsigned warp = sl_lowest(fresh);
    s->history |= sl_bit(warp);
    return warp;
  }
  unsigned warp = sl_lowest(available);
  s->history = sl_bit(warp);
  return warp;
}

/* Picks from any set and returns the pick as a set, which is empty if the set is. Branch-free. */
static inline sl_warps sl_scheduler_pick_any(struct sl_scheduler *s, sl_warps available)
{
  const sl_warps fresh = available & ~s->history, from_these = sl_choose(fresh != 0, fresh, available);
  const sl_warps pick = from_these & -from_these;
  s->history = sl_choose((unsigned)(fresh != 0) | (available == 0), s->history, 0) | pick;
  return pick;
}

#endif
