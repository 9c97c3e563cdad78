#include "engine/warp_shares.h"

#include <math.h>
#include <stdlib.h>

bool sl_warp_shares_open(struct sl_warp_shares *shares, unsigned warps)
{
  *shares = (struct sl_warp_shares){.warps = warps, .warp = calloc(warps, sizeof *shares->warp)};
  return shares->warp != NULL;
}

void sl_warp_shares_close(struct sl_warp_shares *shares)
{
  free(shares->warp);
  shares->warp = NULL;
}

void sl_warp_shares_start(struct sl_warp_shares *shares)
{
  shares->spans = 0;
  shares->ways = shares->squares = 0;
  for (unsigned w = 0; w < shares->warps; w++)
    shares->warp[w].leads = 0;
}

void sl_warp_shares_begin(struct sl_warp_shares *shares, const uint64_t *issued)
{
  for (unsigned w = 0; w < shares->warps; w++)
    shares->warp[w].begin = issued[w];
}

/* Ignores a lead of one instruction: it depends on where in the time slices the interval ended. */
static double beyond_one(double lead)
{
  return lead > 1 ? lead - 1 : lead < -1 ? lead + 1 : 0;
}

void sl_warp_shares_end(struct sl_warp_shares *shares, const uint64_t *issued)
{
  uint64_t all = 0;
  for (unsigned w = 0; w < shares->warps; w++)
    all += issued[w] - shares->warp[w].begin;
  if (all == 0)
    return;
  const double way = (double)all / shares->warps;
  shares->spans++;
  shares->ways += way;
  for (unsigned w = 0; w < shares->warps; w++) {
    const double lead = beyond_one((double)(issued[w] - shares->warp[w].begin) - way);
    shares->warp[w].leads += lead;
    shares->squares += lead * lead / way;
  }
}

/* The statistically significant fraction of the warps' mean leads, 0 to 1. */
static double steady(const struct sl_warp_shares *shares)
{
  double means = 0; /* over all warps: squared mean lead times the number of instructions */
  for (unsigned w = 0; w < shares->warps; w++)
    means += shares->warp[w].leads * shares->warp[w].leads / shares->ways;
  if (shares->spans < 2 || !(means > 0))
    return 0;
  const double chance = (shares->squares - means) / (shares->spans - 1);
  return chance < means ? 1 - chance / means : 0;
}

void sl_warp_shares_deal(struct sl_warp_shares *shares, double way)
{
  const double known = shares->ways > 0 ? steady(shares) / shares->ways : 0;
  shares->dealt = 0;
  for (unsigned w = 0; w < shares->warps; w++) {
    shares->warp[w].left = (uint64_t)llround(way * (1 + known * shares->warp[w].leads));
    shares->dealt += shares->warp[w].left;
  }
}

double sl_warp_shares_left(const struct sl_warp_shares *shares)
{
  uint64_t left = 0;
  for (unsigned w = 0; w < shares->warps; w++)
    left += shares->warp[w].left;
  return shares->dealt > 0 ? (double)left / (double)shares->dealt : 0;
}
