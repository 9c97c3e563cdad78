/* Warp functions without a mask, as programs before CUDA 9 use them: the active threads take part. */
#ifndef SIMTLAB_CUDA_WARP_H
#define SIMTLAB_CUDA_WARP_H

static __device__ __forceinline__ int __all(int predicate)
{
  return __nvvm_vote_all_sync(__activemask(), predicate);
}
static __device__ __forceinline__ int __any(int predicate)
{
  return __nvvm_vote_any_sync(__activemask(), predicate);
}
static __device__ __forceinline__ unsigned int __ballot(int predicate)
{
  return __nvvm_vote_ballot_sync(__activemask(), predicate);
}

#define SIMTLAB_SHUFFLE(name, type)                                                                                    \
  template <class T> static __device__ __forceinline__ T name(T value, type lane, int width = 32)                      \
  {                                                                                                                    \
    return name##_sync(__activemask(), value, lane, width);                                                            \
  }
SIMTLAB_SHUFFLE(__shfl, int)
SIMTLAB_SHUFFLE(__shfl_up, unsigned int)
SIMTLAB_SHUFFLE(__shfl_down, unsigned int)
SIMTLAB_SHUFFLE(__shfl_xor, int)
#undef SIMTLAB_SHUFFLE

static __device__ __forceinline__ unsigned int __lane_id()
{
  return __nvvm_read_ptx_sreg_laneid();
}

/* Sums and the like of a warp's lanes (compute capability 8.0): by shuffles over the mask. */
#define SIMTLAB_REDUCE(name, type, expression)                                                                         \
  static __device__ __forceinline__ type name(unsigned int mask, type value)                                           \
  {                                                                                                                    \
    type a = 0, b;                                                                                                     \
    bool first = true;                                                                                                 \
    for (unsigned int rest = mask; rest != 0; rest &= rest - 1) {                                                      \
      b = __shfl_sync(mask, value, __ffs((int)rest) - 1);                                                              \
      a = first ? b : (expression);                                                                                    \
      first = false;                                                                                                   \
    }                                                                                                                  \
    return a;                                                                                                          \
  }
SIMTLAB_REDUCE(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
SIMTLAB_REDUCE(__reduce_add_sync, unsigned int, a + b)
SIMTLAB_REDUCE(__reduce_min_sync, int, b < a ? b : a)
SIMTLAB_REDUCE(__reduce_min_sync, unsigned int, b < a ? b : a)
SIMTLAB_REDUCE(__reduce_max_sync, int, b > a ? b : a)
SIMTLAB_REDUCE(__reduce_max_sync, unsigned int, b > a ? b : a)
SIMTLAB_REDUCE(__reduce_and_sync, unsigned int, a &b)
SIMTLAB_REDUCE(__reduce_or_sync, unsigned int, a | b)
SIMTLAB_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef SIMTLAB_REDUCE

#endif
