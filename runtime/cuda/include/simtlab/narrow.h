/* Arithmetic of 16-bit floating point, the same for half (h) and bfloat16: cuda_fp16.h and cuda_bf16.h. */
#ifndef SIMTLAB_CUDA_NARROW_H
#define SIMTLAB_CUDA_NARROW_H

#include "cuda_runtime.h"

#include <math.h>

#define SIMTLAB_NARROW_BOTH static __inline__ __host__ __device__ __attribute__((unused))

/* The types: T has the bits in __x; V is the type that computes. Their functions simtlab_value(T) and
 * simtlab_narrow_T(V) come with the header of T. */
#define SIMTLAB_NARROW_TYPE(T, V)                                                                                      \
  struct T {                                                                                                           \
    unsigned short __x;                                                                                                \
    T() = default;                                                                                                     \
    __host__ __device__ T(float v) : __x(simtlab_bits_##T((float)v))                                                   \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(double v) : __x(simtlab_bits_##T((float)v))                                                  \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(int v) : __x(simtlab_bits_##T((float)v))                                                     \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(unsigned int v) : __x(simtlab_bits_##T((float)v))                                            \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(short v) : __x(simtlab_bits_##T((float)v))                                                   \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(unsigned short v) : __x(simtlab_bits_##T((float)v))                                          \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(long v) : __x(simtlab_bits_##T((float)v))                                                    \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(unsigned long v) : __x(simtlab_bits_##T((float)v))                                           \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(long long v) : __x(simtlab_bits_##T((float)v))                                               \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(unsigned long long v) : __x(simtlab_bits_##T((float)v))                                      \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ T(const T##_raw &r) : __x(r.x)                                                                 \
    {                                                                                                                  \
    }                                                                                                                  \
    __host__ __device__ operator float() const                                                                         \
    {                                                                                                                  \
      return simtlab_float_##T(__x);                                                                                   \
    }                                                                                                                  \
    __host__ __device__ operator bool() const                                                                          \
    {                                                                                                                  \
      return (__x & 0x7fff) != 0;                                                                                      \
    }                                                                                                                  \
    __host__ __device__ operator T##_raw() const                                                                       \
    {                                                                                                                  \
      T##_raw r;                                                                                                       \
      r.x = __x;                                                                                                       \
      return r;                                                                                                        \
    }                                                                                                                  \
    __host__ __device__ explicit operator int() const                                                                  \
    {                                                                                                                  \
      return (int)simtlab_float_##T(__x);                                                                              \
    }                                                                                                                  \
    __host__ __device__ explicit operator unsigned int() const                                                         \
    {                                                                                                                  \
      return (unsigned int)simtlab_float_##T(__x);                                                                     \
    }                                                                                                                  \
    __host__ __device__ explicit operator double() const                                                               \
    {                                                                                                                  \
      return (double)simtlab_float_##T(__x);                                                                           \
    }                                                                                                                  \
  };                                                                                                                   \
  struct __attribute__((aligned(4))) T##2                                                                              \
  {                                                                                                                    \
    T x, y;                                                                                                            \
    T##2() = default;                                                                                                  \
    __host__ __device__ T##2(const T &a, const T &b) : x(a), y(b)                                                      \
    {                                                                                                                  \
    }                                                                                                                  \
  };                                                                                                                   \
  SIMTLAB_NARROW_BOTH T simtlab_make_##T(unsigned short bits)                                                          \
  {                                                                                                                    \
    T v;                                                                                                               \
    v.__x = bits;                                                                                                      \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T simtlab_round_##T(float v)                                                                     \
  {                                                                                                                    \
    return simtlab_make_##T(simtlab_bits_##T(v));                                                                      \
  }

#define SIMTLAB_NARROW_2(T, name, expression)                                                                          \
  SIMTLAB_NARROW_BOTH T name(T a, T b)                                                                                 \
  {                                                                                                                    \
    return expression;                                                                                                 \
  }
#define SIMTLAB_NARROW_1(T, name, expression)                                                                          \
  SIMTLAB_NARROW_BOTH T name(T a)                                                                                      \
  {                                                                                                                    \
    return expression;                                                                                                 \
  }

/* A function of T and its form for pairs */
#define SIMTLAB_NARROW_PAIR2(T, name)                                                                                  \
  SIMTLAB_NARROW_BOTH T##2 name##2(T##2 a, T##2 b)                                                                     \
  {                                                                                                                    \
    return T##2(name(a.x, b.x), name(a.y, b.y));                                                                       \
  }
#define SIMTLAB_NARROW_PAIR1(T, name, name2)                                                                           \
  SIMTLAB_NARROW_BOTH T##2 name2(T##2 a)                                                                               \
  {                                                                                                                    \
    return T##2(name(a.x), name(a.y));                                                                                 \
  }

#define SIMTLAB_NARROW_ARITHMETIC(T, name, operation)                                                                  \
  SIMTLAB_NARROW_2(T, name, simtlab_from_##T(simtlab_value(a) operation simtlab_value(b)))                             \
  SIMTLAB_NARROW_2(T, name##_rn, simtlab_from_##T(simtlab_value(a) operation simtlab_value(b)))                        \
  SIMTLAB_NARROW_2(T, name##_sat, simtlab_saturated(name(a, b)))                                                       \
  SIMTLAB_NARROW_PAIR2(T, name)                                                                                        \
  SIMTLAB_NARROW_BOTH T##2 name##2_sat(T##2 a, T##2 b)                                                                 \
  {                                                                                                                    \
    return T##2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                                           \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T operator operation(const T &a, const T &b)                                                     \
  {                                                                                                                    \
    return name(a, b);                                                                                                 \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T &operator operation##=(T &a, const T &b)                                                       \
  {                                                                                                                    \
    return a = name(a, b);                                                                                             \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 operator operation(const T##2 & a, const T##2 & b)                                          \
  {                                                                                                                    \
    return name##2(a, b);                                                                                              \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 &operator operation##=(T##2 & a, const T##2 & b)                                            \
  {                                                                                                                    \
    return a = name##2(a, b);                                                                                          \
  }

/* Comparisons: name is false of NaN, nameu is true of it; pairs give 1 and 0, or a bool for both (b). */
#define SIMTLAB_NARROW_COMPARISON(T, name, operation)                                                                  \
  SIMTLAB_NARROW_BOTH bool __h##name(T a, T b)                                                                         \
  {                                                                                                                    \
    return !simtlab_unordered(a, b) && simtlab_value(a) operation simtlab_value(b);                                    \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH bool __h##name##u(T a, T b)                                                                      \
  {                                                                                                                    \
    return simtlab_unordered(a, b) || simtlab_value(a) operation simtlab_value(b);                                     \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 __h##name##2(T##2 a, T##2 b)                                                                \
  {                                                                                                                    \
    return T##2(T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f));                           \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH bool __hb##name##2(T##2 a, T##2 b)                                                               \
  {                                                                                                                    \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                                 \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH bool operator operation(const T &a, const T &b)                                                  \
  {                                                                                                                    \
    return simtlab_value(a) operation simtlab_value(b);                                                                \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH bool operator operation(const T##2 & a, const T##2 & b)                                          \
  {                                                                                                                    \
    return __hb##name##2(a, b);                                                                                        \
  }

/* Functions through float, rounded once more: hname, h2name */
#define SIMTLAB_NARROW_FUNCTION(T, name, expression)                                                                   \
  static __inline__ __device__ T h##name(T t)                                                                          \
  {                                                                                                                    \
    const float a = (float)t;                                                                                          \
    return simtlab_round_##T(expression);                                                                              \
  }                                                                                                                    \
  static __inline__ __device__ T##2 h2##name(T##2 t)                                                                   \
  {                                                                                                                    \
    return T##2(h##name(t.x), h##name(t.y));                                                                           \
  }

#define SIMTLAB_NARROW_ALL(T, V)                                                                                       \
  SIMTLAB_NARROW_BOTH bool simtlab_unordered(T a, T b)                                                                 \
  {                                                                                                                    \
    return simtlab_value(a) != simtlab_value(a) || simtlab_value(b) != simtlab_value(b);                               \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T simtlab_saturated(T a)                                                                         \
  {                                                                                                                    \
    const float v = (float)a;                                                                                          \
    return v > 0 ? (v < 1 ? a : T(1.0f)) : T(0.0f);                                                                    \
  }                                                                                                                    \
  SIMTLAB_NARROW_ARITHMETIC(T, __hadd, +)                                                                              \
  SIMTLAB_NARROW_ARITHMETIC(T, __hsub, -)                                                                              \
  SIMTLAB_NARROW_ARITHMETIC(T, __hmul, *)                                                                              \
  SIMTLAB_NARROW_2(T, __hdiv, simtlab_from_##T(simtlab_value(a) / simtlab_value(b)))                                   \
  SIMTLAB_NARROW_BOTH T operator/(const T &a, const T &b)                                                              \
  {                                                                                                                    \
    return __hdiv(a, b);                                                                                               \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T &operator/=(T &a, const T &b)                                                                  \
  {                                                                                                                    \
    return a = __hdiv(a, b);                                                                                           \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 __h2div(T##2 a, T##2 b)                                                                     \
  {                                                                                                                    \
    return T##2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));                                                                   \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 operator/(const T##2 & a, const T##2 & b)                                                   \
  {                                                                                                                    \
    return __h2div(a, b);                                                                                              \
  }                                                                                                                    \
  SIMTLAB_NARROW_1(T, __hneg, simtlab_make_##T(a.__x ^ 0x8000))                                                        \
  SIMTLAB_NARROW_1(T, __habs, simtlab_make_##T(a.__x & 0x7fff))                                                        \
  SIMTLAB_NARROW_PAIR1(T, __hneg, __hneg2)                                                                             \
  SIMTLAB_NARROW_PAIR1(T, __habs, __habs2)                                                                             \
  SIMTLAB_NARROW_BOTH T operator-(const T &a)                                                                          \
  {                                                                                                                    \
    return __hneg(a);                                                                                                  \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T operator+(const T &a)                                                                          \
  {                                                                                                                    \
    return a;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 operator-(const T##2 & a)                                                                   \
  {                                                                                                                    \
    return __hneg2(a);                                                                                                 \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T &operator++(T &a)                                                                              \
  {                                                                                                                    \
    return a = __hadd(a, T(1.0f));                                                                                     \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T &operator--(T &a)                                                                              \
  {                                                                                                                    \
    return a = __hsub(a, T(1.0f));                                                                                     \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T operator++(T &a, int)                                                                          \
  {                                                                                                                    \
    const T before = a;                                                                                                \
    ++a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T operator--(T &a, int)                                                                          \
  {                                                                                                                    \
    const T before = a;                                                                                                \
    --a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T __hfma(T a, T b, T c)                                                                          \
  {                                                                                                                    \
    return simtlab_fma(a, b, c);                                                                                       \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T __hfma_sat(T a, T b, T c)                                                                      \
  {                                                                                                                    \
    return simtlab_saturated(simtlab_fma(a, b, c));                                                                    \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T __hfma_relu(T a, T b, T c)                                                                     \
  {                                                                                                                    \
    const T r = simtlab_fma(a, b, c);                                                                                  \
    return (float)r > 0 ? r : T(0.0f);                                                                                 \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH T##2 __hfma2(T##2 a, T##2 b, T##2 c)                                                             \
  {                                                                                                                    \
    return T##2(simtlab_fma(a.x, b.x, c.x), simtlab_fma(a.y, b.y, c.y));                                               \
  }                                                                                                                    \
  SIMTLAB_NARROW_COMPARISON(T, eq, ==)                                                                                 \
  SIMTLAB_NARROW_COMPARISON(T, ne, !=)                                                                                 \
  SIMTLAB_NARROW_COMPARISON(T, le, <=)                                                                                 \
  SIMTLAB_NARROW_COMPARISON(T, ge, >=)                                                                                 \
  SIMTLAB_NARROW_COMPARISON(T, lt, <)                                                                                  \
  SIMTLAB_NARROW_COMPARISON(T, gt, >)                                                                                  \
  SIMTLAB_NARROW_BOTH bool __hisnan(T a)                                                                               \
  {                                                                                                                    \
    return simtlab_value(a) != simtlab_value(a);                                                                       \
  }                                                                                                                    \
  SIMTLAB_NARROW_BOTH int __hisinf(T a)                                                                                \
  {                                                                                                                    \
    const float v = (float)a;                                                                                          \
    return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;                                                \
  }                                                                                                                    \
  SIMTLAB_NARROW_2(T, __hmax, __hisnan(a) ? b : __hisnan(b) || simtlab_value(a) > simtlab_value(b) ? a : b)            \
  SIMTLAB_NARROW_2(T, __hmin, __hisnan(a) ? b : __hisnan(b) || simtlab_value(a) < simtlab_value(b) ? a : b)            \
  SIMTLAB_NARROW_PAIR2(T, __hmax)                                                                                      \
  SIMTLAB_NARROW_PAIR2(T, __hmin)                                                                                      \
  SIMTLAB_NARROW_FUNCTION(T, sqrt, sqrtf(a))                                                                           \
  SIMTLAB_NARROW_FUNCTION(T, rsqrt, rsqrtf(a))                                                                         \
  SIMTLAB_NARROW_FUNCTION(T, rcp, 1.0f / a)                                                                            \
  SIMTLAB_NARROW_FUNCTION(T, exp, expf(a))                                                                             \
  SIMTLAB_NARROW_FUNCTION(T, exp2, exp2f(a))                                                                           \
  SIMTLAB_NARROW_FUNCTION(T, exp10, exp10f(a))                                                                         \
  SIMTLAB_NARROW_FUNCTION(T, log, logf(a))                                                                             \
  SIMTLAB_NARROW_FUNCTION(T, log2, log2f(a))                                                                           \
  SIMTLAB_NARROW_FUNCTION(T, log10, log10f(a))                                                                         \
  SIMTLAB_NARROW_FUNCTION(T, sin, sinf(a))                                                                             \
  SIMTLAB_NARROW_FUNCTION(T, cos, cosf(a))                                                                             \
  SIMTLAB_NARROW_FUNCTION(T, floor, floorf(a))                                                                         \
  SIMTLAB_NARROW_FUNCTION(T, ceil, ceilf(a))                                                                           \
  SIMTLAB_NARROW_FUNCTION(T, trunc, truncf(a))                                                                         \
  SIMTLAB_NARROW_FUNCTION(T, rint, rintf(a))                                                                           \
  SIMTLAB_NARROW_BOTH T##2 make_##T##2(T a, T b)                                                                       \
  {                                                                                                                    \
    return T##2(a, b);                                                                                                 \
  }                                                                                                                    \
  SIMTLAB_NARROW_WARP(T, __shfl_sync, int)                                                                             \
  SIMTLAB_NARROW_WARP(T, __shfl_up_sync, unsigned int)                                                                 \
  SIMTLAB_NARROW_WARP(T, __shfl_down_sync, unsigned int)                                                               \
  SIMTLAB_NARROW_WARP(T, __shfl_xor_sync, int)                                                                         \
  SIMTLAB_NARROW_MEMORY(T)

#ifdef __CUDA__
#define SIMTLAB_NARROW_WARP(T, name, type)                                                                             \
  static __inline__ __device__ T name(unsigned int mask, T v, type lane, int width = 32)                               \
  {                                                                                                                    \
    return simtlab_make_##T((unsigned short)name(mask, (int)v.__x, lane, width));                                      \
  }                                                                                                                    \
  static __inline__ __device__ T##2 name(unsigned int mask, T##2 v, type lane, int width = 32)                         \
  {                                                                                                                    \
    int word;                                                                                                          \
    __builtin_memcpy(&word, &v, 4);                                                                                    \
    word = name(mask, word, lane, width);                                                                              \
    __builtin_memcpy(&v, &word, 4);                                                                                    \
    return v;                                                                                                          \
  }
/* Atomic addition by compare and swap of the word around it */
#define SIMTLAB_NARROW_MEMORY(T)                                                                                       \
  static __inline__ __device__ T##2 atomicAdd(T##2 * p, T##2 v)                                                        \
  {                                                                                                                    \
    unsigned int *word = (unsigned int *)(void *)p, old = *word, assumed, sum;                                         \
    T##2 before;                                                                                                       \
    do {                                                                                                               \
      assumed = old;                                                                                                   \
      __builtin_memcpy(&before, &assumed, 4);                                                                          \
      const T##2 added = __hadd2(before, v);                                                                           \
      __builtin_memcpy(&sum, &added, 4);                                                                               \
      old = atomicCAS(word, assumed, sum);                                                                             \
    } while (old != assumed);                                                                                          \
    __builtin_memcpy(&before, &old, 4);                                                                                \
    return before;                                                                                                     \
  }                                                                                                                    \
  static __inline__ __device__ T atomicAdd(T *p, T v)                                                                  \
  {                                                                                                                    \
    const unsigned int shift = ((unsigned long long)p & 2) * 8;                                                        \
    unsigned int *word = (unsigned int *)((unsigned long long)p & ~3ull), old = *word, assumed;                        \
    T before;                                                                                                          \
    do {                                                                                                               \
      assumed = old;                                                                                                   \
      before = simtlab_make_##T((unsigned short)(assumed >> shift));                                                   \
      const unsigned int sum = (unsigned int)__hadd(before, v).__x << shift;                                           \
      old = atomicCAS(word, assumed, (assumed & ~(0xffffu << shift)) | sum);                                           \
    } while (old != assumed);                                                                                          \
    return before;                                                                                                     \
  }                                                                                                                    \
  static __inline__ __device__ T __ldg(const T *p)                                                                     \
  {                                                                                                                    \
    return simtlab_make_##T(__ldg((const unsigned short *)(const void *)p));                                           \
  }                                                                                                                    \
  static __inline__ __device__ T##2 __ldg(const T##2 * p)                                                              \
  {                                                                                                                    \
    const unsigned int word = __ldg((const unsigned int *)(const void *)p);                                            \
    T##2 v;                                                                                                            \
    __builtin_memcpy(&v, &word, 4);                                                                                    \
    return v;                                                                                                          \
  }
#else
#define SIMTLAB_NARROW_WARP(T, name, type)
#define SIMTLAB_NARROW_MEMORY(T)
#undef SIMTLAB_NARROW_FUNCTION
#define SIMTLAB_NARROW_FUNCTION(T, name, expression)
#endif

#endif
