#include "isa/host_level.h"

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

bool sl_host_has_vectors(void)
{
#ifdef SL_X86_LEVELS
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
#else
  return true;
#endif
}
