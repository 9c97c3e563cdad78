/* The history scheduler: picks a warp fairly from a set, as SIMTight's warp scheduling stage does.
 *
 * The lowest-numbered available warp that is not in the history is picked and added to it; when all available warps are
 * in it, the lowest-numbered one is picked and becomes the whole history. With nothing available the history stays. It
 * also stays from kernel to kernel. (Paper, section III-A, stage 1; rule from the published RTL.) */
#ifndef SL_UNIT_SCHEDULER_H
#define SL_UNIT_SCHEDULER_H

#include "base/types.h"

struct sl_scheduler {
  sl_warps history;
};

/* Picks from a set that is not empty. */
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

/* The same for any set, as a set: empty if that is, without a branch. */
static inline sl_warps sl_scheduler_pick_any(struct sl_scheduler *s, sl_warps available)
{
  const sl_warps fresh = available & ~s->history, from_these = sl_choose(fresh != 0, fresh, available);
  const sl_warps pick = from_these & -from_these;
  s->history = sl_choose((unsigned)(fresh != 0) | (available == 0), s->history, 0) | pick;
  return pick;
}

#endif
