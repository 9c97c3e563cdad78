#include "isa/lanes.h"

/* One table per build of lanes.c and lane count; n stands for any. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_lane_ops sl_lane_ops_##level##_1, sl_lane_ops_##level##_16, sl_lane_ops_##level##_32,         \
      sl_lane_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32   ? &sl_lane_ops_##level##_32                                                                         \
   : (lanes) == 16 ? &sl_lane_ops_##level##_16                                                                         \
   : (lanes) == 1  ? &sl_lane_ops_##level##_1                                                                          \
                   : &sl_lane_ops_##level##_n)

DECLARE_LEVEL(baseline)
#ifdef SL_X86_LEVELS
DECLARE_LEVEL(avx2)
DECLARE_LEVEL(avx512)
#endif

const struct sl_lane_ops *sl_lane_ops_portable(unsigned lanes)
{
  return FOR_LANES(baseline, lanes);
}

const struct sl_lane_ops *sl_lane_ops(unsigned lanes)
{
#ifdef SL_X86_LEVELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2"))
    return FOR_LANES(avx512, lanes);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
    return FOR_LANES(avx2, lanes);
#endif
  return sl_lane_ops_portable(lanes);
}
