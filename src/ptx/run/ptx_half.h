/* Arithmetic of f16 and bf16: values are computed exactly, or in double precision with the last bit as a record of what
 * is left of them, and rounded once. */
#ifndef SL_PTX_RUN_PTX_HALF_H
#define SL_PTX_RUN_PTX_HALF_H

#include <math.h>
#include <string.h>

#include "base/types.h"
#include "ptx/ptx.h"

enum { SL_PTX_HALF_NAN = 0x7fff, SL_PTX_HALF_SIGN = 0x8000 };

static inline float sl_ptx_float_of(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float sl_ptx_from_f16(uint16_t h)
{
  const uint32_t sign = (uint32_t)(h & SL_PTX_HALF_SIGN) << 16, exponent = h >> 10 & 31, fraction = h & 1023;
  const float subnormal = (float)fraction * 0x1p-24f;
  if (exponent == 0)
    return sign ? -subnormal : subnormal;
  return sl_ptx_float_of(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

static inline float sl_ptx_from_bf16(uint16_t h)
{
  return sl_ptx_float_of((uint32_t)h << 16);
}

/* A format: bits of the fraction, largest exponent. */
struct sl_ptx_small {
  int fraction, most;
};
#define SL_PTX_SMALL_f16 ((struct sl_ptx_small){10, 15})
#define SL_PTX_SMALL_bf16 ((struct sl_ptx_small){7, 127})

static inline uint16_t sl_ptx_to_small(double value, struct sl_ptx_small to, enum sl_ptx_rounding rounding)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = (uint32_t)(bits >> 63), infinity = ((2u * (unsigned)to.most + 1) << to.fraction);
  const bool outwards = rounding == SL_PTX_RN || rounding == (sign ? SL_PTX_RM : SL_PTX_RP);
  const int exponent = (int)(bits >> 52 & 2047) - 1023, least = 1 - to.most;
  const uint32_t overflow = outwards ? infinity : infinity - 1;
  if (value != value)
    return SL_PTX_HALF_NAN;
  if (isinf(value) || exponent > to.most)
    return (uint16_t)(sign << 15 | (isinf(value) ? infinity : overflow));
  const uint64_t whole = (bits & sl_low_bits(52)) | (uint64_t)(exponent > -1023) << 52;
  const int below = exponent < least ? least - exponent : 0, shift = 52 - to.fraction + below;
  const unsigned by = shift < 60 ? (unsigned)shift : 60;
  const uint64_t rest = whole & sl_low_bits(by), half = sl_bit(by - 1);
  uint32_t kept = (uint32_t)(whole >> by);
  if (rounding == SL_PTX_RN ? rest > half || (rest == half && kept % 2 != 0) : outwards && rest != 0)
    kept++;
  const uint32_t result = below > 0 ? kept : ((uint32_t)(exponent - least) << to.fraction) + kept;
  return (uint16_t)(sign << 15 | (result >= infinity ? overflow : result));
}

/* The sum with its last bit set if it is not exact: rounding it to fewer bits is rounding the exact sum. */
static inline double sl_ptx_sum(double a, double b)
{
  const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
  uint64_t bits;
  if (!(fabs(sum) <= 0x1p1023) || error == 0)
    return sum;
  memcpy(&bits, &sum, sizeof bits);
  if (bits % 2 == 0)
    bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}

/* An integer, in the same way. */
static inline double sl_ptx_from_whole(uint64_t magnitude, bool negative)
{
  const uint64_t kept =
      magnitude >> 53 ? (magnitude & ~UINT64_C(2047)) | (uint64_t)((magnitude & 2047) != 0) << 11 : magnitude;
  return negative ? -(double)kept : (double)kept;
}
#define SL_PTX_FROM_SIGNED(v) sl_ptx_from_whole((v) < 0 ? 0 - (uint64_t)(v) : (uint64_t)(v), (v) < 0)
#define SL_PTX_FROM_UNSIGNED(v) sl_ptx_from_whole(v, false)

#define SL_PTX_HALF_FUNCTIONS(t)                                                                                       \
  static inline uint16_t sl_ptx_to_##t(double v)                                                                       \
  {                                                                                                                    \
    return sl_ptx_to_small(v, SL_PTX_SMALL_##t, SL_PTX_RN);                                                            \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_add(uint16_t a, uint16_t b)                                                      \
  {                                                                                                                    \
    return sl_ptx_to_##t(sl_ptx_sum(sl_ptx_from_##t(a), sl_ptx_from_##t(b)));                                          \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_sub(uint16_t a, uint16_t b)                                                      \
  {                                                                                                                    \
    return sl_ptx_to_##t(sl_ptx_sum(sl_ptx_from_##t(a), -(double)sl_ptx_from_##t(b)));                                 \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_mul(uint16_t a, uint16_t b)                                                      \
  {                                                                                                                    \
    return sl_ptx_to_##t((double)sl_ptx_from_##t(a) * (double)sl_ptx_from_##t(b));                                     \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_fma(uint16_t a, uint16_t b, uint16_t c)                                          \
  {                                                                                                                    \
    return sl_ptx_to_##t(sl_ptx_sum((double)sl_ptx_from_##t(a) * (double)sl_ptx_from_##t(b), sl_ptx_from_##t(c)));     \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_relu(uint16_t a)                                                                 \
  {                                                                                                                    \
    return a & SL_PTX_HALF_SIGN ? 0 : a;                                                                               \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_fma_relu(uint16_t a, uint16_t b, uint16_t c)                                     \
  {                                                                                                                    \
    return sl_ptx_##t##_relu(sl_ptx_##t##_fma(a, b, c));                                                               \
  }                                                                                                                    \
  /* A number is preferred to a NaN, and -0 is less than +0. */                                                        \
  static inline uint16_t sl_ptx_##t##_min(uint16_t a, uint16_t b)                                                      \
  {                                                                                                                    \
    const float x = sl_ptx_from_##t(a), y = sl_ptx_from_##t(b);                                                        \
    const uint16_t least = x < y || (x == y && signbit(x)) ? a : b;                                                    \
    return x != x ? (y != y ? SL_PTX_HALF_NAN : b) : y != y ? a : least;                                               \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_max(uint16_t a, uint16_t b)                                                      \
  {                                                                                                                    \
    const float x = sl_ptx_from_##t(a), y = sl_ptx_from_##t(b);                                                        \
    const uint16_t most = x > y || (x == y && signbit(y)) ? a : b;                                                     \
    return x != x ? (y != y ? SL_PTX_HALF_NAN : b) : y != y ? a : most;                                                \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_min_nan(uint16_t a, uint16_t b)                                                  \
  {                                                                                                                    \
    const bool nan = isnan(sl_ptx_from_##t(a)) || isnan(sl_ptx_from_##t(b));                                           \
    return nan ? SL_PTX_HALF_NAN : sl_ptx_##t##_min(a, b);                                                             \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_max_nan(uint16_t a, uint16_t b)                                                  \
  {                                                                                                                    \
    const bool nan = isnan(sl_ptx_from_##t(a)) || isnan(sl_ptx_from_##t(b));                                           \
    return nan ? SL_PTX_HALF_NAN : sl_ptx_##t##_max(a, b);                                                             \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_ex2(uint16_t a)                                                                  \
  {                                                                                                                    \
    return sl_ptx_to_##t(exp2((double)sl_ptx_from_##t(a)));                                                            \
  }                                                                                                                    \
  static inline uint16_t sl_ptx_##t##_tanh(uint16_t a)                                                                 \
  {                                                                                                                    \
    return sl_ptx_to_##t(tanh((double)sl_ptx_from_##t(a)));                                                            \
  }

SL_PTX_HALF_FUNCTIONS(f16)
SL_PTX_HALF_FUNCTIONS(bf16)
#undef SL_PTX_HALF_FUNCTIONS

/* A subnormal number becomes 0; a number outside of 0 to 1 becomes the nearest, and NaN 0. */
static inline uint16_t sl_ptx_half_flushed(uint16_t h, bool bf16)
{
  return (h & (bf16 ? 0x7f80 : 0x7c00)) == 0 ? h & SL_PTX_HALF_SIGN : h;
}

static inline uint16_t sl_ptx_half_clamped(uint16_t h, bool bf16)
{
  const uint16_t one = bf16 ? 0x3f80 : 0x3c00, infinity = bf16 ? 0x7f80 : 0x7c00;
  return h > infinity ? 0 : h > one ? one : h; /* negative numbers are above infinity */
}

/* A function of the two halves of words. */
#define SL_PTX_PAIR(low, high) ((uint32_t)(low) | (uint32_t)(high) << 16)
#define SL_PTX_PAIR_1(f, a) SL_PTX_PAIR(f((uint16_t)(a)), f((uint16_t)((a) >> 16)))
#define SL_PTX_PAIR_2(f, a, b)                                                                                         \
  SL_PTX_PAIR(f((uint16_t)(a), (uint16_t)(b)), f((uint16_t)((a) >> 16), (uint16_t)((b) >> 16)))
#define SL_PTX_PAIR_3(f, a, b, c)                                                                                      \
  SL_PTX_PAIR(f((uint16_t)(a), (uint16_t)(b), (uint16_t)(c)),                                                          \
              f((uint16_t)((a) >> 16), (uint16_t)((b) >> 16), (uint16_t)((c) >> 16)))

#endif
