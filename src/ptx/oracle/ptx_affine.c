#include "ptx/oracle/ptx_affine.h"

/* A difference as a signed number of the value's size. */
static int64_t signed_difference(uint64_t a, uint64_t b, unsigned bytes)
{
  const unsigned unused = 64 - 8 * (bytes ? bytes : 8);
  return (int64_t)((a - b) << unused) >> unused;
}

/* The step from one to the next of `by` steps (negative: backwards), if it is an integer. */
static bool divided(int64_t difference, int64_t by, int64_t *step)
{
  *step = difference / by;
  return difference % by == 0;
}

/* The step between the lanes, and the value of lane 0. A single lane takes the known step. */
static bool along_lanes(const struct sl_ptx_result *r, uint32_t lanes, int64_t *step, uint64_t *first)
{
  const unsigned lowest = sl_lowest(lanes);
  const uint32_t others = lanes & (lanes - 1);
  if (others != 0) {
    const unsigned second = sl_lowest(others);
    if (!divided(signed_difference(r->lane[second], r->lane[lowest], r->bytes), second - lowest, step))
      return false;
  }
  *first = r->lane[lowest] - (uint64_t)*step * lowest;
  for (uint32_t rest = others; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    if (signed_difference(r->lane[l], *first + (uint64_t)*step * l, r->bytes) != 0)
      return false;
  }
  return true;
}

void sl_ptx_affine_take(struct sl_ptx_affine *a, unsigned warp, uint32_t lanes, const struct sl_ptx_result *r)
{
  int64_t step = a->step;
  uint64_t first = 0;
  if (lanes == 0 || a->no)
    return;
  a->no = !along_lanes(r, lanes, &step, &first) || (a->warps > 0 && step != a->step) || (r->bytes == 0 && step != 0);
  const int64_t warps = (int64_t)warp - a->warp, difference = signed_difference(first, a->first, r->bytes);
  if (a->warps == 0) {
    a->warp = warp;
    a->step = step;
    a->first = first;
  } else if (a->warps == 1) {
    a->no |= warps == 0 || !divided(difference, warps, &a->rise) || (r->bytes == 0 && a->rise != 0);
  } else {
    a->no |= signed_difference(first, a->first + (uint64_t)(a->rise * warps), r->bytes) != 0;
  }
  a->warps++;
}
