#include "machine/simty/simty_sm.h"

void sl_simty_refuse(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes)
{
  if (r->refused[warp] == 0)
    r->lane[warp] = (uint8_t)sl_lowest(lanes);
  if (r->refused[warp] < SL_SIMTY_REFUSALS && ++r->refused[warp] == SL_SIMTY_REFUSALS)
    r->overdue[r->count++] = (uint8_t)warp;
}

void sl_simty_accept_refused(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes)
{
  const bool overdue = sl_simty_is_overdue(r, warp);
  unsigned kept = 0;
  if (!overdue && !(lanes >> r->lane[warp] & 1))
    return;
  r->refused[warp] = 0;
  for (unsigned i = 0; i < r->count && overdue; i++)
    if (r->overdue[i] != warp)
      r->overdue[kept++] = r->overdue[i];
  r->count = overdue ? (uint8_t)kept : r->count;
}

bool sl_simty_refusals_valid(const struct sl_simty_refusals *r)
{
  sl_warps listed = 0, overdue = 0;
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    overdue |= sl_simty_is_overdue(r, w) ? sl_bit(w) : 0;
  for (unsigned i = 0; i < r->count && i < SL_MAX_WARPS; i++)
    listed |= sl_bit(r->overdue[i] % SL_MAX_WARPS);
  return r->count == sl_count(overdue) && listed == overdue;
}
