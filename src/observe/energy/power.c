#include "observe/energy/power.h"

static bool any(const double events[SL_ENERGY_EVENTS], enum sl_energy_event first, enum sl_energy_event last)
{
  double sum = 0;
  for (enum sl_energy_event e = first; e <= last; e++)
    sum += events[e];
  return sum > 0;
}

static enum sl_power_kind without_arithmetic(const double e[SL_ENERGY_EVENTS])
{
  return e[SL_ENERGY_L1] > 0       ? SL_POWER_L1
         : e[SL_ENERGY_SHARED] > 0 ? SL_POWER_SHARED
         : e[SL_ENERGY_L2] > 0     ? SL_POWER_L2
                                   : SL_POWER_LIGHT;
}

/* The mixes that AccelWattch has measured. Moves, logic and the like count as integer additions. */
static enum sl_power_kind kind_of(const double e[SL_ENERGY_EVENTS])
{
  const bool adds = e[SL_ENERGY_LANE_INTEGER] + e[SL_ENERGY_LANE_OTHER] > 0;
  const bool multiplies = e[SL_ENERGY_LANE_MULTIPLY] + e[SL_ENERGY_LANE_DIVIDE] > 0, integer = adds || multiplies;
  const bool single = any(e, SL_ENERGY_LANE_FLOAT, SL_ENERGY_LANE_FUSED) || e[SL_ENERGY_LANE_FLOAT_DIVIDE] > 0;
  const bool wide =
      any(e, SL_ENERGY_LANE_DOUBLE, SL_ENERGY_LANE_DOUBLE_MULTIPLY) || e[SL_ENERGY_LANE_DOUBLE_DIVIDE] > 0;
  const bool special = any(e, SL_ENERGY_LANE_ROOT, SL_ENERGY_LANE_LOGARITHM), tensor = e[SL_ENERGY_LANE_TENSOR] > 0;
  const bool texture = e[SL_ENERGY_TEXTURE] > 0;
  const unsigned further = (unsigned)wide + special + tensor + texture;
  if (!integer && !single && further == 0)
    return without_arithmetic(e);
  if (integer && !single && further == 0)
    return !multiplies ? SL_POWER_INTEGER_ADD : !adds ? SL_POWER_INTEGER_MULTIPLY : SL_POWER_INTEGER;
  if (!integer || !single || further > 1)
    return SL_POWER_MIXED;
  return wide      ? SL_POWER_DOUBLE
         : special ? SL_POWER_SPECIAL
         : tensor  ? SL_POWER_TENSOR
         : texture ? SL_POWER_TEXTURE
                   : SL_POWER_FLOAT;
}

struct sl_power sl_power_of(const struct sl_power_set *set, const double events[SL_ENERGY_EVENTS], double lanes,
                            double clock_mhz)
{
  const double cycle = 1e6 / clock_mhz; /* picojoules of a watt in a cycle */
  struct sl_power p = {.kind = kind_of(events)};
  p.constant = set->constant / set->sms * cycle;
  p.idle = set->idle_sm * cycle;
  p.active = (set->first[p.kind] + (lanes > 1 ? lanes - 1 : 0) * set->further[p.kind]) / set->sms * cycle;
  return p;
}
