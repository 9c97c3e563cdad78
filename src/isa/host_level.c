#include "isa/host_level.h"

#include "isa/lanes.h"

enum sl_host_level sl_host_level(void)
{
#ifdef SL_LEVEL_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2"))
    return SL_HOST_AVX512;
#endif
#ifdef SL_LEVEL_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
    return SL_HOST_AVX2;
#endif
  return SL_HOST_BASELINE;
}

const char *sl_host_lacks(void)
{
#ifdef __AVX2__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("fma"))
    return "x86-64-v3 (AVX2, BMI2 and FMA)";
#endif
  return NULL;
}

bool sl_host_has_vectors(void)
{
#ifdef SL_X86_LEVELS
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
#else
  return true;
#endif
}

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
