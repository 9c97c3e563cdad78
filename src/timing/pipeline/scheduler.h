/* SIMTight's history scheduler: a fair pick from a set of warps, in the warp scheduling stage.
 *
 * It picks the lowest-numbered available warp that is not in the history and adds it to the history. If all available
 * warps are in the history, it picks the lowest-numbered one, which becomes the whole history. With no available warp
 * the history is unchanged. The history also persists from kernel to kernel. Source: paper, section III-A, stage 1;
 * rule from the published RTL. */
#ifndef SL_UNIT_SCHEDULER_H
#define SL_UNIT_SCHEDULER_H

#include "base/types.h"

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
