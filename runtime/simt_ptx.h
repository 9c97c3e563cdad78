/* CUDA's vocabulary for kernels that `simtlab cc --target ptx` compiles with Clang alone. The compiler includes this
 * header in every kernel.
 *
 * It has index variables, memory spaces, barriers, atomics, warp shuffles, vectors, and mathematics. There is no host
 * code and no CUDA library. */
#ifndef SIMT_PTX_H
#define SIMT_PTX_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define SIMT_PTX_ static __attribute__((device, always_inline, unused))

/* threadIdx.x and the other index variables read special registers. */
#define SIMT_PTX_PART_(part, reg)                                                                                      \
  __declspec(property(get = get_##part)) unsigned part;                                                                \
  static inline __attribute__((device, always_inline)) unsigned get_##part(void)                                       \
  {                                                                                                                    \
    return __nvvm_read_ptx_sreg_##reg##_##part();                                                                      \
  }
#define SIMT_PTX_INDEX_(name, reg)                                                                                     \
  struct simt_ptx_##reg {                                                                                              \
    SIMT_PTX_PART_(x, reg) SIMT_PTX_PART_(y, reg) SIMT_PTX_PART_(z, reg)                                               \
  };                                                                                                                   \
  extern const __attribute__((device, weak)) struct simt_ptx_##reg name;
SIMT_PTX_INDEX_(threadIdx, tid)
SIMT_PTX_INDEX_(blockIdx, ctaid)
SIMT_PTX_INDEX_(blockDim, ntid)
SIMT_PTX_INDEX_(gridDim, nctaid)
enum { warpSize = 32 };

/* Clang itself defines __syncthreads(). */
SIMT_PTX_ void __threadfence_block(void)
{
  __nvvm_membar_cta();
}
SIMT_PTX_ void __threadfence(void)
{
  __nvvm_membar_gl();
}

#define SIMT_PTX_ATOMICS_(type)                                                                                        \
  SIMT_PTX_ type atomicAdd(type *p, type v)                                                                            \
  {                                                                                                                    \
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                    \
  SIMT_PTX_ type atomicSub(type *p, type v)                                                                            \
  {                                                                                                                    \
    return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                    \
  SIMT_PTX_ type atomicMin(type *p, type v)                                                                            \
  {                                                                                                                    \
    return __atomic_fetch_min(p, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                    \
  SIMT_PTX_ type atomicMax(type *p, type v)                                                                            \
  {                                                                                                                    \
    return __atomic_fetch_max(p, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                    \
  SIMT_PTX_ type atomicAnd(type *p, type v)                                                                            \
  {                                                                                                                    \
    return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                    \
  SIMT_PTX_ type atomicOr(type *p, type v)                                                                             \
  {                                                                                                                    \
    return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);                                                                  \
  }                                                                                                                    \
  SIMT_PTX_ type atomicXor(type *p, type v)                                                                            \
  {                                                                                                                    \
    return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);                                                                 \
  }                                                                                                                    \
  SIMT_PTX_ type atomicExch(type *p, type v)                                                                           \
  {                                                                                                                    \
    return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);                                                                \
  }                                                                                                                    \
  SIMT_PTX_ type atomicCAS(type *p, type expected, type v)                                                             \
  {                                                                                                                    \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                           \
    return expected;                                                                                                   \
  }
SIMT_PTX_ATOMICS_(int)
SIMT_PTX_ATOMICS_(unsigned)
SIMT_PTX_ATOMICS_(unsigned long long)
SIMT_PTX_ float atomicAdd(float *p, float v)
{
  return __nvvm_atom_add_gen_f(p, v);
}

SIMT_PTX_ float atomicExch(float *p, float v)
{
  return __builtin_bit_cast(float, __atomic_exchange_n((int *)p, __builtin_bit_cast(int, v), __ATOMIC_RELAXED));
}
SIMT_PTX_ unsigned atomicInc(unsigned *p, unsigned most)
{
  return __nvvm_atom_inc_gen_ui(p, most);
}
SIMT_PTX_ unsigned atomicDec(unsigned *p, unsigned most)
{
  return __nvvm_atom_dec_gen_ui(p, most);
}

/* Loads data that no kernel writes during the launch. */
template <typename T> SIMT_PTX_ T __ldg(const T *p)
{
  return *p;
}

/* Warp shuffles and votes over the whole warp. */
#define SIMT_PTX_SHUFFLE_(name, how, clamp)                                                                            \
  SIMT_PTX_ int name(unsigned members, int v, int by)                                                                  \
  {                                                                                                                    \
    return __nvvm_shfl_sync_##how##_i32(members, v, by, clamp);                                                        \
  }                                                                                                                    \
  SIMT_PTX_ unsigned name(unsigned members, unsigned v, int by)                                                        \
  {                                                                                                                    \
    return (unsigned)__nvvm_shfl_sync_##how##_i32(members, (int)v, by, clamp);                                         \
  }                                                                                                                    \
  SIMT_PTX_ float name(unsigned members, float v, int by)                                                              \
  {                                                                                                                    \
    return __nvvm_shfl_sync_##how##_f32(members, v, by, clamp);                                                        \
  }
SIMT_PTX_SHUFFLE_(__shfl_sync, idx, 31)
SIMT_PTX_SHUFFLE_(__shfl_up_sync, up, 0)
SIMT_PTX_SHUFFLE_(__shfl_down_sync, down, 31)
SIMT_PTX_SHUFFLE_(__shfl_xor_sync, bfly, 31)
SIMT_PTX_ void __syncwarp(unsigned members = 0xffffffff)
{
  __nvvm_bar_warp_sync(members);
}
SIMT_PTX_ unsigned __activemask(void)
{
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}
SIMT_PTX_ unsigned __ballot_sync(unsigned members, int holds)
{
  return (unsigned)__nvvm_vote_ballot_sync(members, holds != 0);
}
SIMT_PTX_ int __any_sync(unsigned members, int holds)
{
  return __nvvm_vote_any_sync(members, holds != 0);
}
SIMT_PTX_ int __all_sync(unsigned members, int holds)
{
  return __nvvm_vote_all_sync(members, holds != 0);
}

/* Cycle counter of the SM. */
SIMT_PTX_ int clock(void)
{
  return __nvvm_read_ptx_sreg_clock();
}
SIMT_PTX_ long long clock64(void)
{
  return __nvvm_read_ptx_sreg_clock64();
}
SIMT_PTX_ void __trap(void)
{
  __builtin_trap();
}

SIMT_PTX_ int __popc(unsigned v)
{
  return __builtin_popcount(v);
}
SIMT_PTX_ int __clz(int v)
{
  return v ? __builtin_clz((unsigned)v) : 32;
}
SIMT_PTX_ unsigned __brev(unsigned v)
{
  return __builtin_bitreverse32(v);
}

#include "simt_ptx_math.h"
#include "simt_ptx_types.h"

/* Kernels in the notation of simt.h (docs/how-to/kernels.md): the same source compiles for every target. */
#define SIMT_PTX_1_(type, name) type name
#define SIMT_PTX_EACH_(pair, ...) SIMT_PTX_1_ pair __VA_OPT__(, SIMT_PTX_AGAIN_ SIMT_PTX_NOTHING_(__VA_ARGS__))
#define SIMT_PTX_AGAIN_() SIMT_PTX_EACH_
#define SIMT_PTX_NOTHING_ ()
#define SIMT_PTX_SCAN_(...) SIMT_PTX_SCAN1_(SIMT_PTX_SCAN1_(SIMT_PTX_SCAN1_(SIMT_PTX_SCAN1_(__VA_ARGS__))))
#define SIMT_PTX_SCAN1_(...) SIMT_PTX_SCAN2_(SIMT_PTX_SCAN2_(SIMT_PTX_SCAN2_(SIMT_PTX_SCAN2_(__VA_ARGS__))))
#define SIMT_PTX_SCAN2_(...) __VA_ARGS__
#define SIMT_KERNEL(kernel, ...)                                                                                       \
  extern "C" __global__ void kernel(__VA_OPT__(SIMT_PTX_SCAN_(SIMT_PTX_EACH_(__VA_ARGS__))))
#define SIMT_SHARED(type, name, count) __shared__ __typeof__(type) name[count]

#endif
