/* Order of warps that a full unit or memory port refuses again and again (ours; the published core refuses nothing).
 *
 * An instruction that finds its unit full is replayed. Warps that come at the same place of the unit's period each time
 * would be refused for ever, while others are served: so the holder of a lock may never reach the word that releases
 * it. A warp with REFUSALS refusals in a row is *overdue*. As long as warps are overdue, only the one that has been so
 * longest is accepted. Its refusals do not count as turns of its path (convergence/fairness.h).
 *
 * Bound: a warp is accepted after REFUSALS refusals, and one acceptance of each other warp. Warps that are refused less
 * often, as in all programs that do not spin, keep their timing. */
#ifndef SL_MACHINE_SIMTY_REFUSALS_H
#define SL_MACHINE_SIMTY_REFUSALS_H

#include "base/types.h"

enum { SL_SIMTY_REFUSALS = 1024 };

struct sl_simty_refusals {
  uint16_t refused[SL_MAX_WARPS]; /* since the lane has executed an instruction */
  uint8_t lane[SL_MAX_WARPS];     /* of the warp's path that was refused first */
  uint8_t overdue[SL_MAX_WARPS];  /* warps, the first one first */
  uint8_t count;
};

/* Whether the warp may use a unit that is free. */
static inline bool sl_simty_may_use(const struct sl_simty_refusals *r, unsigned warp)
{
  return r->count == 0 || r->overdue[0] == warp;
}

static inline bool sl_simty_is_overdue(const struct sl_simty_refusals *r, unsigned warp)
{
  return r->refused[warp] >= SL_SIMTY_REFUSALS;
}

/* Records that a path of the warp is refused. */
void sl_simty_refuse(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes);

void sl_simty_accept_refused(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes);

/* Records that lanes of the warp have executed an instruction. */
static inline void sl_simty_accept(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes)
{
  if (__builtin_expect(r->refused[warp] != 0, 0))
    sl_simty_accept_refused(r, warp, lanes);
}

/* Validates the state of a checkpoint: the warps with so many refusals are in the list, once. */
bool sl_simty_refusals_valid(const struct sl_simty_refusals *r);

#endif
