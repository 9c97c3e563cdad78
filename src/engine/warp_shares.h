/* Each warp's share of an untimed interval in sampled simulation.
 *
 * Warps drift apart while they are timed, and the cost of a cycle depends on these distances: blocks in lockstep load
 * at the same time and compute at the same time. Fixed time slices for all warps would bring warps that wait for each
 * other into lockstep. So each warp leads the others by as much as it did while timed: by its mean lead over all timed
 * intervals, as far as that is statistically significant (shrinkage after James and Stein, 1961). An additional random
 * lead, as of a random walk, made estimates worse: random leads of one interval mostly disappear in the next. */
#ifndef SL_ENGINE_WARP_SHARES_H
#define SL_ENGINE_WARP_SHARES_H

#include <stdbool.h>
#include <stdint.h>

struct sl_warp_share {
  uint64_t begin; /* instructions issued before the timed interval */
  uint64_t left;  /* remaining instructions of the current untimed interval */
  double leads;   /* sum of leads over the mean warp, in all timed intervals */
};

struct sl_warp_shares {
  unsigned warps, spans;
  struct sl_warp_share *warp;
  uint64_t dealt;
  double ways, squares; /* instructions of the mean warp in all timed intervals; squares of leads, each divided by its
                           interval's instructions */
};

/* Allocates shares for `warps` warps; returns false if out of memory. */
bool sl_warp_shares_open(struct sl_warp_shares *shares, unsigned warps);
void sl_warp_shares_close(struct sl_warp_shares *shares);

/* Starts a launch without knowledge of its warps. */
void sl_warp_shares_start(struct sl_warp_shares *shares);

/* Start and end a timed interval; `issued` holds the instructions of each warp so far. */
void sl_warp_shares_begin(struct sl_warp_shares *shares, const uint64_t *issued);
void sl_warp_shares_end(struct sl_warp_shares *shares, const uint64_t *issued);

/* Assigns the shares (`left`) of an untimed interval of `way` instructions of the mean warp. */
void sl_warp_shares_deal(struct sl_warp_shares *shares, double way);

/* The fraction of it that warps have not executed, 0 to 1. */
double sl_warp_shares_left(const struct sl_warp_shares *shares);

#endif
