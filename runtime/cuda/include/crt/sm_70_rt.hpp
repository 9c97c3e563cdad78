/* Clang's intrinsics header includes this file after __match32_any_sync() and its relatives. */
#ifndef SIMTLAB_CUDA_SM_70_RT
#define SIMTLAB_CUDA_SM_70_RT

#define SIMTLAB_MATCH(type, bits, word)                                                                                \
  static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, type value)                       \
  {                                                                                                                    \
    word raw = 0;                                                                                                      \
    __builtin_memcpy(&raw, &value, sizeof value);                                                                      \
    return __match##bits##_any_sync(mask, raw);                                                                        \
  }                                                                                                                    \
  static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, type value, int *all)             \
  {                                                                                                                    \
    word raw = 0;                                                                                                      \
    __builtin_memcpy(&raw, &value, sizeof value);                                                                      \
    return __match##bits##_all_sync(mask, raw, all);                                                                   \
  }
SIMTLAB_MATCH(int, 32, unsigned int)
SIMTLAB_MATCH(unsigned int, 32, unsigned int)
SIMTLAB_MATCH(float, 32, unsigned int)
SIMTLAB_MATCH(long, 64, unsigned long long)
SIMTLAB_MATCH(unsigned long, 64, unsigned long long)
SIMTLAB_MATCH(long long, 64, unsigned long long)
SIMTLAB_MATCH(unsigned long long, 64, unsigned long long)
SIMTLAB_MATCH(double, 64, unsigned long long)
#undef SIMTLAB_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned int ns)
{
  asm volatile("nanosleep.u32 %0;" ::"r"(ns));
}

#endif
