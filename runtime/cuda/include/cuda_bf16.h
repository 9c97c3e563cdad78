/* bfloat16: __nv_bfloat16, __nv_bfloat162, their operators and intrinsics, computed in float. */
#ifndef SIMTLAB_CUDA_BF16_H
#define SIMTLAB_CUDA_BF16_H
#define __CUDA_BF16_H__

#ifndef __cplusplus
typedef struct {
  unsigned short x;
} __nv_bfloat16_raw;
typedef __nv_bfloat16_raw __nv_bfloat16;
#else
#if __cplusplus < 201103L
#error "cuda_bf16.h needs C++11: add -std=c++11"
#endif
#include "simtlab/narrow.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};

SIMTLAB_NARROW_BOTH float simtlab_float___nv_bfloat16(unsigned short bits)
{
  const unsigned int word = (unsigned int)bits << 16;
  float v;
  __builtin_memcpy(&v, &word, 4);
  return v;
}
SIMTLAB_NARROW_BOTH unsigned short simtlab_bits___nv_bfloat16(float v)
{
  unsigned int word;
  __builtin_memcpy(&word, &v, 4);
  if (v != v)
    return 0x7fff;
  return (unsigned short)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}
SIMTLAB_NARROW_TYPE(__nv_bfloat16, float)
SIMTLAB_NARROW_BOTH float simtlab_value(__nv_bfloat16 a)
{
  return (float)a;
}
SIMTLAB_NARROW_BOTH __nv_bfloat16 simtlab_from___nv_bfloat16(float v)
{
  return simtlab_round___nv_bfloat16(v);
}
SIMTLAB_NARROW_BOTH __nv_bfloat16 simtlab_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
  return simtlab_round___nv_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
}
SIMTLAB_NARROW_ALL(__nv_bfloat16, float)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define SIMTLAB_BFLOAT SIMTLAB_NARROW_BOTH
SIMTLAB_BFLOAT __nv_bfloat16 __float2bfloat16(float a)
{
  return simtlab_round___nv_bfloat16(a);
}
SIMTLAB_BFLOAT __nv_bfloat16 __float2bfloat16_rn(float a)
{
  return simtlab_round___nv_bfloat16(a);
}
SIMTLAB_BFLOAT __nv_bfloat16 __double2bfloat16(double a)
{
  return simtlab_round___nv_bfloat16((float)a);
}
SIMTLAB_BFLOAT float __bfloat162float(__nv_bfloat16 a)
{
  return (float)a;
}
SIMTLAB_BFLOAT __nv_bfloat162 __float2bfloat162_rn(float a)
{
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
SIMTLAB_BFLOAT __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
SIMTLAB_BFLOAT __nv_bfloat162 __float22bfloat162_rn(float2 a)
{
  return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
}
SIMTLAB_BFLOAT float2 __bfloat1622float2(__nv_bfloat162 a)
{
  return make_float2((float)a.x, (float)a.y);
}
SIMTLAB_BFLOAT float __low2float(__nv_bfloat162 a)
{
  return (float)a.x;
}
SIMTLAB_BFLOAT float __high2float(__nv_bfloat162 a)
{
  return (float)a.y;
}
SIMTLAB_BFLOAT __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a)
{
  return a.x;
}
SIMTLAB_BFLOAT __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a)
{
  return a.y;
}
SIMTLAB_BFLOAT __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat162(a, b);
}
SIMTLAB_BFLOAT __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat162(a, b);
}
SIMTLAB_BFLOAT __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
  return __nv_bfloat162(a, a);
}
SIMTLAB_BFLOAT unsigned short __bfloat16_as_ushort(__nv_bfloat16 a)
{
  return a.__x;
}
SIMTLAB_BFLOAT __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
  return simtlab_make___nv_bfloat16(bits);
}
SIMTLAB_BFLOAT int __bfloat162int_rz(__nv_bfloat16 a)
{
  return (int)(float)a;
}
SIMTLAB_BFLOAT int __bfloat162int_rn(__nv_bfloat16 a)
{
  return (int)__builtin_rintf((float)a);
}
SIMTLAB_BFLOAT __nv_bfloat16 __int2bfloat16_rn(int a)
{
  return simtlab_round___nv_bfloat16((float)a);
}
#undef SIMTLAB_BFLOAT
#endif

#endif
