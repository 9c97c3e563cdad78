/* Functions that are more exact than libclc's.
 *
 * tgamma within the bound of the standard, 16 ulp, where libclc's is off by 70 for negative arguments: a polynomial for
 * arguments from 1 to 2, and the factors between these and the argument. All factors are exact; a second number holds
 * the rounding errors of their product. The polynomials are Chebyshev fits of gamma(1.5 + u) for |u| <= 0.5. */
#include "widths.h"

#define TGAMMA(type, integer, count, most, least, part, ...)                                                           \
  static type OVERLOAD near_one(type a)                                                                                \
  {                                                                                                                    \
    const type series[count] = {__VA_ARGS__};                                                                          \
    const type u = a - (type)1.5f;                                                                                     \
    type sum = series[0];                                                                                              \
    for (int i = 1; i < count; i++)                                                                                    \
      sum = fma(sum, u, series[i]);                                                                                    \
    return sum;                                                                                                        \
  }                                                                                                                    \
  static type OVERLOAD divided(type a, type high, type low)                                                            \
  {                                                                                                                    \
    const type quotient = a / high;                                                                                    \
    return quotient - quotient * (low / high);                                                                         \
  }                                                                                                                    \
  type OVERLOAD tgamma(type a)                                                                                         \
  {                                                                                                                    \
    const type whole = floor(a);                                                                                       \
    type high = 1, low = 0;                                                                                            \
    if (isnan(a) || a == -INFINITY || (a < 0 && whole == a))                                                           \
      return NAN;                                                                                                      \
    if (a == 0)                                                                                                        \
      return copysign((type)INFINITY, a);                                                                              \
    if (a >= most)                                                                                                     \
      return INFINITY;                                                                                                 \
    if (a < least)                                                                                                     \
      return (integer)whole & 1 ? (type)-0.0f : (type)0.0f;                                                            \
    const int steps = (int)whole - 1;                                                                                  \
    type value = near_one(a - steps);                                                                                  \
    for (int i = 1; i <= steps; i++) {                                                                                 \
      const type factor = a - i, next = high * factor;                                                                 \
      low = fma(low, factor, fma(high, factor, -next));                                                                \
      high = next;                                                                                                     \
    }                                                                                                                  \
    if (steps >= 0) {                                                                                                  \
      const type product = value * high;                                                                               \
      return isinf(product) ? product : product + value * low;                                                         \
    }                                                                                                                  \
    for (int i = 0; i < -steps; i++) {                                                                                 \
      const type factor = a + i, next = high * factor;                                                                 \
      low = fma(low, factor, fma(high, factor, -next));                                                                \
      high = next;                                                                                                     \
      if (i == part) { /* the product of all would overflow */                                                         \
        value = divided(value, high, low);                                                                             \
        high = 1;                                                                                                      \
        low = 0;                                                                                                       \
      }                                                                                                                \
    }                                                                                                                  \
    return divided(value, high, low);                                                                                  \
  }                                                                                                                    \
  ALL_WIDTHS(type, tgamma)

TGAMMA(float, int, 12, 36, -43, 20, -0.0108976942f, 0.0163316602f, -0.0162570449f, 0.0243901088f, -0.0381311032f,
       0.0588039766f, -0.0775153573f, 0.144633821f, -0.107294971f, 0.414813703f, 0.032338398f, 0.886226925f)

#ifdef cl_khr_fp64
TGAMMA(double, long, 25, 172, -185, 100, 8.1792737894395403e-5, -0.00012268896174603187, 5.6231926948672621e-5,
       -8.4347210457093742e-5, 0.0002143824087442772, -0.00032156920921690344, 0.00044739718084241755,
       -0.00067106832668691965, 0.0010154263909409369, -0.0015229680438873139, 0.0022825150114661193,
       -0.0034226903689222813, 0.0051316493549852593, -0.0076902201438470942, 0.011522515093983193,
       -0.017222442665840764, 0.025837606465138738, -0.038001935568938925, 0.058610303817011409, -0.077523052299606883,
       0.14464535904462288, -0.10729480456477422, 0.41481345368830117, 0.032338397448885019, 0.88622692545275801)
#endif

/* ldexp, exp and exp2 with subnormal results, which libclc's flush to 0. All factors but the last are exact: those for
 * negative exponents leave 24 bits, so that a product that would be rounded twice is 0 in the end. */
static float scaled_by(float a, int n)
{
  const float small = 0x1p-102f, large = 0x1p127f;
  for (int i = 0; i < 2; i++) {
    if (n < -126) {
      a *= small;
      n += 102;
    } else if (n > 127) {
      a *= large;
      n -= 127;
    }
  }
  return a * as_float((uint)(clamp(n, -126, 127) + 127) << 23);
}

#define LDEXP_WIDTHS(count)                                                                                            \
  float##count OVERLOAD ldexp(float##count a, int##count n)                                                            \
  {                                                                                                                    \
    return (float##count)(ldexp(a.lo, n.lo), ldexp(a.hi, n.hi));                                                       \
  }                                                                                                                    \
  float##count OVERLOAD ldexp(float##count a, int n)                                                                   \
  {                                                                                                                    \
    return ldexp(a, (int##count)(n));                                                                                  \
  }
float OVERLOAD ldexp(float a, int n)
{
  return scaled_by(a, n);
}
float OVERLOAD __clc_ldexp(float a, int n)
{
  return scaled_by(a, n);
}
LDEXP_WIDTHS(2)
float3 OVERLOAD ldexp(float3 a, int3 n)
{
  return (float3)(ldexp(a.xy, n.xy), ldexp(a.z, n.z));
}
float3 OVERLOAD ldexp(float3 a, int n)
{
  return ldexp(a, (int3)(n));
}
LDEXP_WIDTHS(4)
LDEXP_WIDTHS(8)
LDEXP_WIDTHS(16)

/* exp(r) for |r| <= log(2) / 2: the series. */
static float exp_near_0(float r)
{
  const float series[] = {1.f / 5040, 1.f / 720, 1.f / 120, 1.f / 24, 1.f / 6, 0.5f};
  float sum = series[0];
  for (int i = 1; i < 6; i++)
    sum = sum * r + series[i];
  return 1 + (r + r * r * sum);
}
float OVERLOAD exp2(float a)
{
  if (!(a >= -151)) /* also NaN */
    return isnan(a) ? a : 0;
  if (a >= 128)
    return INFINITY;
  const float n = rint(a);
  return scaled_by(exp_near_0((a - n) * 0.693147181f), (int)n);
}
float OVERLOAD exp(float a)
{
  if (!(a >= -104.5f))
    return isnan(a) ? a : 0;
  if (a >= 88.8f)
    return INFINITY;
  const float n = rint(a * 1.44269504f); /* log(2) in two parts; the product with the first is exact */
  return scaled_by(exp_near_0((a - n * 0.693359375f) + n * 2.12194440e-4f), (int)n);
}
ALL_WIDTHS(float, exp2)
ALL_WIDTHS(float, exp)

/* erfc within 16 ulp, where libclc's is off by 34 for large arguments: exp(-a a) times a polynomial. The leading 11
 * bits of `a` have an exact square, so its rounding error does not become one of the result. The polynomials are
 * Chebyshev fits of erfc(a) exp(a a) at a = 1.25 + u, and of that times `a` at 1 / a = 0.3 + u. */
static float OVERLOAD scaled(float a)
{
  const float near[] = {-2.03573652e-5f, 6.40743957e-5f, -0.000160997935f, 0.000467435734f,
                        -0.00132636288f, 0.00355504276f, -0.00908155064f,  0.0220111076f,
                        -0.0502182781f,  0.106795584f,   -0.208821876f,    0.367822916f};
  const float far[] = {0.875587171f,   -0.292093771f, -0.266187261f, 0.345111129f,  -0.158453781f,
                       -0.0815992894f, 0.208072442f,  -0.135583583f, -0.134601014f, 0.541633203f};
  float sum = 0;
  if (a < 2) {
    for (int i = 0; i < 12; i++)
      sum = fma(sum, a - 1.25f, near[i]);
    return sum;
  }
  for (int i = 0; i < 10; i++)
    sum = fma(sum, 1 / a - 0.3f, far[i]);
  return sum / a;
}

float OVERLOAD erfc(float a)
{
  if (a < 0.5f || isnan(a))
    return 1 - erf(a);
  if (a > 10.1f)
    return 0;
  const float high = as_float(as_uint(a) & 0xffffe000);
  return exp(-high * high) * (exp((high - a) * (high + a)) * scaled(a));
}
ALL_WIDTHS(float, erfc)

/* Conversions of integers to floats with a rounding mode. libclc's convert back and compare, which is wrong where the
 * float is beyond the integer's range. Here the bits that the float has no room for are removed first; a float of the
 * next larger size has the next larger bits. */
#define CONVERT_WIDTHS(to, from, mode)                                                                                 \
  to##2 OVERLOAD convert_##to##2##mode(from##2 a)                                                                      \
  {                                                                                                                    \
    return (to##2)(convert_##to##mode(a.x), convert_##to##mode(a.y));                                                  \
  }                                                                                                                    \
  to##3 OVERLOAD convert_##to##3##mode(from##3 a)                                                                      \
  {                                                                                                                    \
    return (to##3)(convert_##to##mode(a.x), convert_##to##mode(a.y), convert_##to##mode(a.z));                         \
  }                                                                                                                    \
  to##4 OVERLOAD convert_##to##4##mode(from##4 a)                                                                      \
  {                                                                                                                    \
    return (to##4)(convert_##to##2##mode(a.xy), convert_##to##2##mode(a.zw));                                          \
  }                                                                                                                    \
  to##8 OVERLOAD convert_##to##8##mode(from##8 a)                                                                      \
  {                                                                                                                    \
    return (to##8)(convert_##to##4##mode(a.lo), convert_##to##4##mode(a.hi));                                          \
  }                                                                                                                    \
  to##16 OVERLOAD convert_##to##16##mode(from##16 a)                                                                   \
  {                                                                                                                    \
    return (to##16)(convert_##to##8##mode(a.lo), convert_##to##8##mode(a.hi));                                         \
  }
#define CONVERT_MODE(to, from, unsigned, mode, larger)                                                                 \
  to OVERLOAD convert_##to##mode(from a)                                                                               \
  {                                                                                                                    \
    const bool minus = a < 0;                                                                                          \
    const to size = to##_of(minus ? -(unsigned)a : (unsigned)a, larger);                                               \
    return minus ? -size : size;                                                                                       \
  }                                                                                                                    \
  CONVERT_WIDTHS(to, from, mode)
#define CONVERT_MODES(to, from, unsigned)                                                                              \
  CONVERT_MODE(to, from, unsigned, _rtz, false)                                                                        \
  CONVERT_MODE(to, from, unsigned, _rtp, !minus)                                                                       \
  CONVERT_MODE(to, from, unsigned, _rtn, minus)
#define CONVERT_SIZE(to, digits, bits, integer)                                                                        \
  static to OVERLOAD to##_of(integer a, bool larger)                                                                   \
  {                                                                                                                    \
    const int surplus = (int)sizeof(a) * 8 - digits - (int)clz(a), removed = surplus > 0 ? surplus : 0;                \
    const integer kept = a >> removed << removed;                                                                      \
    return as_##to(as_##bits((to)kept) + (larger && kept != a));                                                       \
  }
CONVERT_SIZE(float, 24, uint, uint)
CONVERT_SIZE(float, 24, uint, ulong)
CONVERT_MODES(float, int, uint)
CONVERT_MODES(float, uint, uint)
CONVERT_MODES(float, long, ulong)
CONVERT_MODES(float, ulong, ulong)
#ifdef cl_khr_fp64
CONVERT_SIZE(double, 53, ulong, ulong)
CONVERT_MODES(double, long, ulong)
CONVERT_MODES(double, ulong, ulong)
#endif

/* Saturating conversions of floats to integers. libclc compares with the greatest integer as a float, which is one
 * more, and then converts what no integer holds. */
#define CONVERT_SAT(to, from, mode, round, least, limit, min, max)                                                     \
  to OVERLOAD convert_##to##_sat##mode(from a)                                                                         \
  {                                                                                                                    \
    const from x = round(a);                                                                                           \
    const to inside = (to)(x >= least && x < limit ? x : 0);                                                           \
    return x >= limit ? max : x < least ? min : inside;                                                                \
  }                                                                                                                    \
  CONVERT_WIDTHS(to, from, _sat##mode)
#define CONVERT_SATS(to, from, least, limit, min, max)                                                                 \
  CONVERT_SAT(to, from, , trunc, least, limit, min, max)                                                               \
  CONVERT_SAT(to, from, _rte, rint, least, limit, min, max)                                                            \
  CONVERT_SAT(to, from, _rtz, trunc, least, limit, min, max)                                                           \
  CONVERT_SAT(to, from, _rtp, ceil, least, limit, min, max)                                                            \
  CONVERT_SAT(to, from, _rtn, floor, least, limit, min, max)
CONVERT_SATS(int, float, -0x1p31f, 0x1p31f, INT_MIN, INT_MAX)
CONVERT_SATS(uint, float, 0, 0x1p32f, 0, UINT_MAX)
CONVERT_SATS(long, float, -0x1p63f, 0x1p63f, LONG_MIN, LONG_MAX)
CONVERT_SATS(ulong, float, 0, 0x1p64f, 0, ULONG_MAX)
#ifdef cl_khr_fp64
CONVERT_SATS(long, double, -0x1p63, 0x1p63, LONG_MIN, LONG_MAX)
CONVERT_SATS(ulong, double, 0, 0x1p64, 0, ULONG_MAX)
#endif

/* libclc's returns the least number for 0 times a negative one. This has the whole product. */
long OVERLOAD mad_sat(long a, long b, long c)
{
  const ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
  const long high = mul_hi(a, b) + (c >> 63) + (long)(sum < low);
  return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}

/* libclc's returns the least number for 0 less the least number. */
#define SUB_SAT(type, unsigned, least, most)                                                                           \
  type OVERLOAD sub_sat(type a, type b)                                                                                \
  {                                                                                                                    \
    const type rest = (type)((unsigned)a - (unsigned)b);                                                               \
    return ((a ^ b) & (a ^ rest)) >= 0 ? rest : a < 0 ? least : most;                                                  \
  }
SUB_SAT(int, uint, INT_MIN, INT_MAX)
SUB_SAT(long, ulong, LONG_MIN, LONG_MAX)

/* A function of several arguments for vectors of all widths */
#define PART_WIDTHS(type, name, ARGUMENTS, CALL)                                                                       \
  type##2 OVERLOAD name(ARGUMENTS(type##2))                                                                            \
  {                                                                                                                    \
    return (type##2)(CALL(name, x), CALL(name, y));                                                                    \
  }                                                                                                                    \
  type##3 OVERLOAD name(ARGUMENTS(type##3))                                                                            \
  {                                                                                                                    \
    return (type##3)(CALL(name, x), CALL(name, y), CALL(name, z));                                                     \
  }                                                                                                                    \
  type##4 OVERLOAD name(ARGUMENTS(type##4))                                                                            \
  {                                                                                                                    \
    return (type##4)(CALL(name, lo), CALL(name, hi));                                                                  \
  }                                                                                                                    \
  type##8 OVERLOAD name(ARGUMENTS(type##8))                                                                            \
  {                                                                                                                    \
    return (type##8)(CALL(name, lo), CALL(name, hi));                                                                  \
  }                                                                                                                    \
  type##16 OVERLOAD name(ARGUMENTS(type##16))                                                                          \
  {                                                                                                                    \
    return (type##16)(CALL(name, lo), CALL(name, hi));                                                                 \
  }
#define TWO_ARGUMENTS(type) type a, type b
#define THREE_ARGUMENTS(type) type a, type b, type c
#define CALL_TWO(name, part) name(a.part, b.part)
#define CALL_THREE(name, part) name(a.part, b.part, c.part)
PART_WIDTHS(int, sub_sat, TWO_ARGUMENTS, CALL_TWO)
PART_WIDTHS(long, sub_sat, TWO_ARGUMENTS, CALL_TWO)
PART_WIDTHS(long, mad_sat, THREE_ARGUMENTS, CALL_THREE)

/* Copies of vectors of 3, which libclc lacks: they have the room of vectors of 4. */
#define COPY_3(to, from, type)                                                                                         \
  event_t OVERLOAD async_work_group_copy(to type##4 *a, const from type##4 *b, size_t count, event_t event);           \
  event_t OVERLOAD async_work_group_strided_copy(to type##4 *a, const from type##4 *b, size_t count, size_t stride,    \
                                                 event_t event);                                                       \
  event_t OVERLOAD async_work_group_copy(to type##3 *a, const from type##3 *b, size_t count, event_t event)            \
  {                                                                                                                    \
    return async_work_group_copy((to type##4 *)a, (const from type##4 *)b, count, event);                              \
  }                                                                                                                    \
  event_t OVERLOAD async_work_group_strided_copy(to type##3 *a, const from type##3 *b, size_t count, size_t stride,    \
                                                 event_t event)                                                        \
  {                                                                                                                    \
    return async_work_group_strided_copy((to type##4 *)a, (const from type##4 *)b, count, stride, event);              \
  }
#define COPIES_3(type)                                                                                                 \
  void OVERLOAD prefetch(const global type##3 *p, size_t count)                                                        \
  {                                                                                                                    \
    (void)p;                                                                                                           \
    (void)count;                                                                                                       \
  }                                                                                                                    \
  COPY_3(local, global, type)                                                                                          \
  COPY_3(global, local, type)
COPIES_3(char)
COPIES_3(uchar)
COPIES_3(short)
COPIES_3(ushort)
COPIES_3(int)
COPIES_3(uint)
COPIES_3(long)
COPIES_3(ulong)
COPIES_3(float)
#ifdef cl_khr_fp64
COPIES_3(double)
#endif

/* libclc's is undefined for the least integer, whose absolute value the unsigned result has. */
#define ABS(type, bits)                                                                                                \
  u##type OVERLOAD abs(type a)                                                                                         \
  {                                                                                                                    \
    const u##type sign = as_u##type((type)(a >> (type)(bits - 1)));                                                    \
    return (as_u##type(a) ^ sign) - sign;                                                                              \
  }
#define ABS_ALL(type, bits)                                                                                            \
  ABS(type, bits) ABS(type##2, bits) ABS(type##3, bits) ABS(type##4, bits) ABS(type##8, bits) ABS(type##16, bits)
ABS_ALL(char, 8)
ABS_ALL(short, 16)
ABS_ALL(int, 32)
ABS_ALL(long, 64)

/* What libclc has as a macro only. */
#define MAD_HI(type)                                                                                                   \
  type OVERLOAD mad_hi(type a, type b, type c)                                                                         \
  {                                                                                                                    \
    return mul_hi(a, b) + c;                                                                                           \
  }
#define MAD_HIS(type)                                                                                                  \
  MAD_HI(type) MAD_HI(type##2) MAD_HI(type##3) MAD_HI(type##4) MAD_HI(type##8) MAD_HI(type##16)
MAD_HIS(char)
MAD_HIS(uchar)
MAD_HIS(short)
MAD_HIS(ushort)
MAD_HIS(int)
MAD_HIS(uint)
MAD_HIS(long)
MAD_HIS(ulong)

/* libclc's for doubles has scalar edges for scalars only. */
#ifdef cl_khr_fp64
#define SMOOTHSTEP(width)                                                                                              \
  double##width OVERLOAD smoothstep(double##width a, double##width b, double##width x);                                \
  double##width OVERLOAD smoothstep(double a, double b, double##width x)                                               \
  {                                                                                                                    \
    return smoothstep((double##width)(a), (double##width)(b), x);                                                      \
  }
SMOOTHSTEP(2)
SMOOTHSTEP(3)
SMOOTHSTEP(4)
SMOOTHSTEP(8)
SMOOTHSTEP(16)
#endif
