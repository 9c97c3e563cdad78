#include "isa/host_level.h"
#include "isa/lanes.h"

/* One table per build of lanes.c and lane count; n stands for any count. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_lane_ops sl_lane_ops_##level##_1, sl_lane_ops_##level##_16, sl_lane_ops_##level##_32,         \
      sl_lane_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32   ? &sl_lane_ops_##level##_32                                                                         \
   : (lanes) == 16 ? &sl_lane_ops_##level##_16                                                                         \
   : (lanes) == 1  ? &sl_lane_ops_##level##_1                                                                          \
                   : &sl_lane_ops_##level##_n)

SL_EACH_LEVEL(DECLARE_LEVEL)

const struct sl_lane_ops *sl_lane_ops_portable(unsigned lanes)
{
  return FOR_LANES(baseline, lanes);
}

const struct sl_lane_ops *sl_lane_ops(unsigned lanes)
{
  return SL_OF_LEVEL(sl_host_level(), FOR_LANES, lanes);
}
