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

DECLARE_LEVEL(baseline)
#ifdef SL_LEVEL_AVX2
DECLARE_LEVEL(avx2)
#endif
#ifdef SL_LEVEL_AVX512
DECLARE_LEVEL(avx512)
#endif

const struct sl_lane_ops *sl_lane_ops_portable(unsigned lanes)
{
  return FOR_LANES(baseline, lanes);
}

const struct sl_lane_ops *sl_lane_ops(unsigned lanes)
{
  switch (sl_host_level()) {
#ifdef SL_LEVEL_AVX512
  case SL_HOST_AVX512: return FOR_LANES(avx512, lanes);
#endif
#ifdef SL_LEVEL_AVX2
  case SL_HOST_AVX2: return FOR_LANES(avx2, lanes);
#endif
  default: return sl_lane_ops_portable(lanes);
  }
}
