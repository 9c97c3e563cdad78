/* How far each warp goes in a stretch of a launch that is not timed.
 *
 * Warps drift apart while they are timed, and what a cycle costs depends on how far apart they are: blocks in step load
 * at one time and compute at another. Were every warp to run for a fixed turn, those that wait for each other would
 * come into step. So a warp goes as much further than the others as it did while timed: by its mean lead over all timed
 * stretches, as far as it is more than chance (shrunk as by James and Stein, 1961). A lead of chance on top of that, as
 * of a random walk, made estimates worse: what looks like chance in a stretch is mostly taken back in the next. */
#ifndef SL_ENGINE_WARP_SHARES_H
#define SL_ENGINE_WARP_SHARES_H

#include <stdbool.h>
#include <stdint.h>

struct sl_warp_share {
  uint64_t begin; /* instructions that it had issued when the timed stretch began */
  uint64_t left;  /* of the untimed stretch under way */
  double leads;   /* over the mean warp, in all timed stretches */
};

struct sl_warp_shares {
  unsigned warps, stretches;
  struct sl_warp_share *warp;
  uint64_t dealt;
  double ways, squares; /* of the mean warp in all timed stretches; of leads, each over its stretch's way */
};

/* False: no memory. */
bool sl_warp_shares_open(struct sl_warp_shares *shares, unsigned warps);
void sl_warp_shares_close(struct sl_warp_shares *shares);

/* A launch begins: nothing is known of its warps. */
void sl_warp_shares_start(struct sl_warp_shares *shares);

/* A timed stretch begins and ends; `issued` are each warp's instructions so far. */
void sl_warp_shares_begin(struct sl_warp_shares *shares, const uint64_t *issued);
void sl_warp_shares_end(struct sl_warp_shares *shares, const uint64_t *issued);

/* Deals an untimed stretch of so many instructions of the mean warp: `left` of each. */
void sl_warp_shares_deal(struct sl_warp_shares *shares, double way);

/* The part of it that nobody has taken, 0 to 1. */
double sl_warp_shares_left(const struct sl_warp_shares *shares);

#endif
