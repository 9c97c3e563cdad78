/* Functions of native precision over the instructions of the special function unit. libclc's need a library of the
 * target. */
#include "device.h"
#include "widths.h"


/* A function of one argument, of all widths */
#define ONE(name, expression)                                                                                          \
  float OVERLOAD name(float a)                                                                                         \
  {                                                                                                                    \
    return expression;                                                                                                 \
  }                                                                                                                    \
  ALL_WIDTHS(float, name)

/* The same of two arguments */
#define TWO(name, expression)                                                                                          \
  float OVERLOAD name(float a, float b)                                                                                \
  {                                                                                                                    \
    return expression;                                                                                                 \
  }                                                                                                                    \
  float2 OVERLOAD name(float2 a, float2 b)                                                                             \
  {                                                                                                                    \
    return (float2)(name(a.x, b.x), name(a.y, b.y));                                                                   \
  }                                                                                                                    \
  float3 OVERLOAD name(float3 a, float3 b)                                                                             \
  {                                                                                                                    \
    return (float3)(name(a.x, b.x), name(a.y, b.y), name(a.z, b.z));                                                   \
  }                                                                                                                    \
  float4 OVERLOAD name(float4 a, float4 b)                                                                             \
  {                                                                                                                    \
    return (float4)(name(a.xy, b.xy), name(a.zw, b.zw));                                                               \
  }                                                                                                                    \
  float8 OVERLOAD name(float8 a, float8 b)                                                                             \
  {                                                                                                                    \
    return (float8)(name(a.lo, b.lo), name(a.hi, b.hi));                                                               \
  }                                                                                                                    \
  float16 OVERLOAD name(float16 a, float16 b)                                                                          \
  {                                                                                                                    \
    return (float16)(name(a.lo, b.lo), name(a.hi, b.hi));                                                              \
  }

#define LOG2_E 1.44269504088896340736f
#define LOG2_10 3.32192809488736234787f
#define LN_2 0.69314718055994530942f
#define LOG10_2 0.30102999566398119521f
ONE(native_exp2, __nvvm_ex2_approx_f(a))
ONE(native_exp, __nvvm_ex2_approx_f(a *LOG2_E))
ONE(native_exp10, __nvvm_ex2_approx_f(a *LOG2_10))
ONE(native_log2, __nvvm_lg2_approx_f(a))
ONE(native_log, __nvvm_lg2_approx_f(a) * LN_2)
ONE(native_log10, __nvvm_lg2_approx_f(a) * LOG10_2)
ONE(native_sin, __nvvm_sin_approx_f(a))
ONE(native_cos, __nvvm_cos_approx_f(a))
ONE(native_tan, __nvvm_sin_approx_f(a) / __nvvm_cos_approx_f(a))
ONE(native_sqrt, __nvvm_sqrt_approx_f(a))
ONE(native_rsqrt, __nvvm_rsqrt_approx_f(a))
ONE(native_recip, __nvvm_rcp_approx_ftz_f(a))
TWO(native_divide, __nvvm_div_approx_f(a, b))
TWO(native_powr, __nvvm_ex2_approx_f(b *__nvvm_lg2_approx_f(a)))
ONE(half_exp2, native_exp2(a))
ONE(half_exp, native_exp(a))
ONE(half_exp10, native_exp10(a))
ONE(half_log2, native_log2(a))
ONE(half_log, native_log(a))
ONE(half_log10, native_log10(a))
ONE(half_sqrt, native_sqrt(a))
ONE(half_rsqrt, native_rsqrt(a))
ONE(half_recip, native_recip(a))
TWO(half_divide, native_divide(a, b))
