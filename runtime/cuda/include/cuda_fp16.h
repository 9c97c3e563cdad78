/* Half precision: __half, __half2, their operators and intrinsics. C sees the types only. */
#ifndef SIMTLAB_CUDA_FP16_H
#define SIMTLAB_CUDA_FP16_H
#define __CUDA_FP16_H__

#ifndef __cplusplus
typedef struct {
  unsigned short x;
} __half_raw;
typedef __half_raw __half;
typedef struct {
  unsigned short x, y;
} __half2_raw;
typedef __half2_raw __half2;
#else
#if __cplusplus < 201103L
#error "cuda_fp16.h needs C++11: add -std=c++11"
#endif
#include "simtlab/narrow.h"

struct __half_raw {
  unsigned short x;
};

SIMTLAB_NARROW_BOTH float simtlab_float___half(unsigned short bits)
{
  _Float16 h;
  __builtin_memcpy(&h, &bits, 2);
  return (float)h;
}
SIMTLAB_NARROW_BOTH unsigned short simtlab_bits___half(float v)
{
  const _Float16 h = (_Float16)v;
  unsigned short bits;
  __builtin_memcpy(&bits, &h, 2);
  return bits;
}
SIMTLAB_NARROW_TYPE(__half, _Float16)
SIMTLAB_NARROW_BOTH _Float16 simtlab_value(__half a)
{
  _Float16 h;
  __builtin_memcpy(&h, &a, 2);
  return h;
}
SIMTLAB_NARROW_BOTH __half simtlab_from___half(_Float16 h)
{
  __half a;
  __builtin_memcpy(&a, &h, 2);
  return a;
}
/* A product of halves is exact in double; so is its sum with a third, but for the last rounding. */
SIMTLAB_NARROW_BOTH __half simtlab_fma(__half a, __half b, __half c)
{
#ifdef __CUDA_ARCH__
  return simtlab_from___half(__builtin_fmaf16(simtlab_value(a), simtlab_value(b), simtlab_value(c)));
#else
  return simtlab_from___half((_Float16)((double)(float)a * (double)(float)b + (double)(float)c));
#endif
}
SIMTLAB_NARROW_ALL(__half, _Float16)

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#define SIMTLAB_HALF SIMTLAB_NARROW_BOTH
SIMTLAB_HALF __half __float2half(float a)
{
  return simtlab_round___half(a);
}
SIMTLAB_HALF __half __float2half_rn(float a)
{
  return simtlab_round___half(a);
}
SIMTLAB_HALF __half __double2half(double a)
{
  return simtlab_from___half((_Float16)a);
}
SIMTLAB_HALF float __half2float(__half a)
{
  return (float)a;
}
/* Directed roundings step back from the nearest value. */
SIMTLAB_HALF __half __float2half_rz(float a)
{
  const __half near = simtlab_round___half(a);
  return __builtin_fabsf((float)near) > __builtin_fabsf(a) ? simtlab_make___half(near.__x - 1) : near;
}
SIMTLAB_HALF __half __float2half_rd(float a)
{
  const __half near = simtlab_round___half(a);
  if (!((float)near > a))
    return near;
  return simtlab_make___half((near.__x & 0x7fff) == 0 ? 0x8001 : near.__x & 0x8000 ? near.__x + 1 : near.__x - 1);
}
SIMTLAB_HALF __half __float2half_ru(float a)
{
  return __hneg(__float2half_rd(-a));
}
SIMTLAB_HALF __half2 __float2half2_rn(float a)
{
  return __half2(__half(a), __half(a));
}
SIMTLAB_HALF __half2 __floats2half2_rn(float a, float b)
{
  return __half2(__half(a), __half(b));
}
SIMTLAB_HALF __half2 __float22half2_rn(float2 a)
{
  return __half2(__half(a.x), __half(a.y));
}
SIMTLAB_HALF float2 __half22float2(__half2 a)
{
  return make_float2((float)a.x, (float)a.y);
}
SIMTLAB_HALF float __low2float(__half2 a)
{
  return (float)a.x;
}
SIMTLAB_HALF float __high2float(__half2 a)
{
  return (float)a.y;
}
SIMTLAB_HALF __half __low2half(__half2 a)
{
  return a.x;
}
SIMTLAB_HALF __half __high2half(__half2 a)
{
  return a.y;
}
SIMTLAB_HALF __half2 __low2half2(__half2 a)
{
  return __half2(a.x, a.x);
}
SIMTLAB_HALF __half2 __high2half2(__half2 a)
{
  return __half2(a.y, a.y);
}
SIMTLAB_HALF __half2 __lowhigh2highlow(__half2 a)
{
  return __half2(a.y, a.x);
}
SIMTLAB_HALF __half2 __lows2half2(__half2 a, __half2 b)
{
  return __half2(a.x, b.x);
}
SIMTLAB_HALF __half2 __highs2half2(__half2 a, __half2 b)
{
  return __half2(a.y, b.y);
}
SIMTLAB_HALF __half2 __halves2half2(__half a, __half b)
{
  return __half2(a, b);
}
SIMTLAB_HALF __half2 make_half2(__half a, __half b)
{
  return __half2(a, b);
}
SIMTLAB_HALF __half2 __half2half2(__half a)
{
  return __half2(a, a);
}
SIMTLAB_HALF unsigned short __half_as_ushort(__half a)
{
  return a.__x;
}
SIMTLAB_HALF short __half_as_short(__half a)
{
  return (short)a.__x;
}
SIMTLAB_HALF __half __ushort_as_half(unsigned short bits)
{
  return simtlab_make___half(bits);
}
SIMTLAB_HALF __half __short_as_half(short bits)
{
  return simtlab_make___half((unsigned short)bits);
}

#define SIMTLAB_HALF_INTEGER(type, name)                                                                               \
  SIMTLAB_HALF type __half2##name##_rz(__half a)                                                                       \
  {                                                                                                                    \
    return (type)(float)a;                                                                                             \
  }                                                                                                                    \
  SIMTLAB_HALF type __half2##name##_rn(__half a)                                                                       \
  {                                                                                                                    \
    return (type)__builtin_rintf((float)a);                                                                            \
  }                                                                                                                    \
  SIMTLAB_HALF type __half2##name##_rd(__half a)                                                                       \
  {                                                                                                                    \
    return (type)__builtin_floorf((float)a);                                                                           \
  }                                                                                                                    \
  SIMTLAB_HALF type __half2##name##_ru(__half a)                                                                       \
  {                                                                                                                    \
    return (type)__builtin_ceilf((float)a);                                                                            \
  }                                                                                                                    \
  SIMTLAB_HALF __half __##name##2half_rn(type a)                                                                       \
  {                                                                                                                    \
    return simtlab_from___half((_Float16)(double)a);                                                                   \
  }
SIMTLAB_HALF_INTEGER(int, int)
SIMTLAB_HALF_INTEGER(unsigned int, uint)
SIMTLAB_HALF_INTEGER(short, short)
SIMTLAB_HALF_INTEGER(unsigned short, ushort)
SIMTLAB_HALF_INTEGER(long long, ll)
SIMTLAB_HALF_INTEGER(unsigned long long, ull)
#undef SIMTLAB_HALF_INTEGER
#undef SIMTLAB_HALF
#endif

#endif
