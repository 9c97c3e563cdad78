/* Arithmetic of values that needs more than an expression in ptx_lanes.def: NaNs, conversions and wide products; f16
 * and bf16; sines and powers. */
#ifndef SL_PTX_RUN_PTX_VALUES_H
#define SL_PTX_RUN_PTX_VALUES_H

#include <math.h>
#include <string.h>

#include "base/types.h"
#include "ptx/ptx.h"

typedef unsigned __int128 sl_u128;
typedef __int128 sl_s128;

/* The quiet NaN of GPUs. */
static inline float sl_ptx_nan32(void)
{
  const union {
    uint32_t bits;
    float value;
  } nan = {.bits = 0x7fffffff};
  return nan.value;
}

static inline double sl_ptx_nan64(void)
{
  const union {
    uint64_t bits;
    double value;
  } nan = {.bits = UINT64_C(0x7ff8000000000000)};
  return nan.value;
}

#define CANONICAL32(v) ((v) == (v) ? (v) : sl_ptx_nan32())
#define CANONICAL64(v) ((v) == (v) ? (v) : sl_ptx_nan64())
#define IN_FLOAT(name) name##f
#define IN_DOUBLE(name) name

/* Converting an out-of-range value is undefined in C, hence the two conditions. `above` is the first value that is too
 * large. */
#define FLOAT_TO_INT(v, type, low, high, above)                                                                        \
  ((v) >= (above) ? (VALUE_##type)(high) : (v) >= (low) ? (VALUE_##type)(v) : (v) < (low) ? (VALUE_##type)(low) : 0)

/* A number is preferred to a NaN, and -0 is less than +0. */
#define MIN_MAX(n, type)                                                                                               \
  static inline type sl_ptx_min##n(type a, type b)                                                                     \
  {                                                                                                                    \
    const type least = a < b || (a == b && signbit(a)) ? a : b;                                                        \
    return a != a ? CANONICAL##n(b) : b != b ? a : least;                                                              \
  }                                                                                                                    \
  static inline type sl_ptx_max##n(type a, type b)                                                                     \
  {                                                                                                                    \
    const type most = a > b || (a == b && signbit(b)) ? a : b;                                                         \
    return a != a ? CANONICAL##n(b) : b != b ? a : most;                                                               \
  }
MIN_MAX(32, float)
MIN_MAX(64, double)
#undef MIN_MAX

static inline sl_s128 sl_ptx_clamped(sl_s128 v, sl_s128 low, sl_s128 high)
{
  return v < low ? low : v > high ? high : v;
}

/* The low 24 bits as a signed number. */
static inline int64_t sl_ptx_signed24(int32_t v)
{
  return (int64_t)((uint64_t)(uint32_t)v << 40) >> 40;
}

static inline uint64_t sl_ptx_reversed(uint64_t v)
{
  v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
  v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
  v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
  return __builtin_bswap64(v);
}

/* The index of the highest set bit; all ones if there is none. */
static inline uint32_t sl_ptx_highest(uint64_t v)
{
  return v ? 63 - (uint32_t)__builtin_clzll(v) : UINT32_MAX;
}

/* `length` bits of a `size`-bit number from bit `from` on; bits beyond the number are zeros or its sign. */
static inline uint64_t sl_ptx_field(uint64_t v, uint32_t from, uint32_t length, unsigned size, bool sign)
{
  from &= 255, length &= 255;
  const bool negative = sign && length > 0 && v >> (from + length - 1 < size ? from + length - 1 : size - 1) & 1;
  const uint64_t shifted = from < size ? v >> from : 0;
  const uint64_t kept = sl_low_bits(from < size && size - from < length ? size - from : from < size ? length : 0);
  return (shifted & kept) | (negative ? ~kept : 0);
}

/* Replaces `length` bits of `into`, from bit `from` on, by the low bits of v. */
static inline uint64_t sl_ptx_insert(uint64_t v, uint64_t into, uint32_t from, uint32_t length, unsigned size)
{
  from &= 255, length &= 255;
  const uint64_t mask = from < size ? sl_low_bits(length < 64 ? length : 64) << from : 0;
  return from < size ? (into & ~mask) | (v << from & mask) : into;
}

/* Video instructions: an operation on each element of `width` bits, 8, 16 or 32. Elements of results wrap, or are
 * clamped with `sat`. With `sums` their sum is added to c. PTX ISA 9.7.16. */
enum sl_ptx_video { SL_PTX_VADD, SL_PTX_VSUB, SL_PTX_VABSDIFF, SL_PTX_VMIN, SL_PTX_VMAX, SL_PTX_VAVRG };

static inline int64_t sl_ptx_element(uint32_t value, unsigned at, unsigned width, bool has_sign)
{
  const uint32_t bits = width == 32 ? value : value >> at & ((1u << width) - 1);
  const int64_t sign = INT64_C(1) << (width - 1);
  return has_sign ? ((int64_t)bits ^ sign) - sign : (int64_t)bits;
}

static inline uint32_t sl_ptx_video(enum sl_ptx_video op, unsigned width, bool has_sign, bool sat, bool sums,
                                    uint32_t a, uint32_t b, uint32_t c)
{
  const int64_t most = (INT64_C(1) << (has_sign ? width - 1 : width)) - 1, least = has_sign ? -most - 1 : 0;
  uint32_t result = sums ? c : 0;
  for (unsigned at = 0; at < 32; at += width) {
    const int64_t x = sl_ptx_element(a, at, width, has_sign), y = sl_ptx_element(b, at, width, has_sign);
    int64_t v = op == SL_PTX_VADD       ? x + y
                : op == SL_PTX_VSUB     ? x - y
                : op == SL_PTX_VABSDIFF ? (x < y ? y - x : x - y)
                : op == SL_PTX_VMIN     ? (x < y ? x : y)
                : op == SL_PTX_VMAX     ? (x > y ? x : y)
                                        : (x + y + 1) >> 1;
    v = sat && v > most ? most : sat && v < least ? least : v;
    const uint32_t bits = (uint32_t)v & (uint32_t)((UINT64_C(1) << width) - 1);
    result = sums ? result + (uint32_t)sl_ptx_element(bits, 0, width, has_sign) : result | bits << at;
  }
  return result;
}

/* Selects bytes of b:a by the four digits of `selector`; bit 3 of a digit replicates the byte's sign. */
static inline uint32_t sl_ptx_permuted(uint32_t a, uint32_t b, uint32_t selector)
{
  const uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t digit = selector >> (4 * i) & 15, byte = bytes >> (8 * (digit & 7)) & 255;
    value |= (digit & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
  }
  return value;
}

/* The sum of products of the parts of two words: 4 x 8 bits, or 2 x 16 bits with 2 x 8 bits. */
#define DOT(at, an, bt, bn)                                                                                            \
  static inline uint32_t sl_ptx_dot_##at##an##_##bt##bn(uint32_t a, uint32_t b)                                        \
  {                                                                                                                    \
    uint32_t sum = 0;                                                                                                  \
    for (unsigned i = 0; i < 32 / an; i++)                                                                             \
      sum += (uint32_t)((int32_t)(DOT_##at##an)(a >> (i * an)) * (int32_t)(DOT_##bt##bn)(b >> (i * bn)));              \
    return sum;                                                                                                        \
  }
typedef uint8_t DOT_u8;
typedef int8_t DOT_s8;
typedef uint16_t DOT_u16;
typedef int16_t DOT_s16;
DOT(u, 8, u, 8)
DOT(u, 8, s, 8)
DOT(s, 8, u, 8)
DOT(s, 8, s, 8)
DOT(u, 16, u, 8)
DOT(u, 16, s, 8)
DOT(s, 16, u, 8)
DOT(s, 16, s, 8)
#undef DOT

/* Looks up each bit in an 8-bit table, indexed by the bits of a, b and c. */
static inline uint32_t sl_ptx_looked_up(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
  uint32_t value = 0;
  for (unsigned i = 0; i < 8; i++)
    if (table >> i & 1)
      value |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return value;
}

/* Arithmetic of f16 and bf16: values are computed exactly, or in double precision with the last bit as a record of what
 * is left of them, and rounded once. */

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

/* sin, cos and exp2 of 32 values: polynomials in double precision, rounded once, in plain loops for the compiler to
 * vectorise. Method and coefficients: S. Nagy and W. Dijkstra, "Optimized Routines" of Arm (sinf, cosf, exp2f; MIT
 * licence), which the GNU C library has had since 2.28. Errors are below 0.57 units in the last place. Multiply-adds
 * are explicit, so that results do not depend on the host. */

typedef float sl_ptx_single __attribute__((may_alias)); /* in a register */

static inline uint32_t sl_ptx_bits(float v)
{
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

/* sin x or, with `cosine`, cos x, of quadrant n and its rest r. */
static inline float sl_ptx_sine_of(double r, int n, bool cosine)
{
  const double r2 = r * r, r3 = r * r2, r4 = r2 * r2;
  const double odd = __builtin_fma(r3 * r2, __builtin_fma(r2, -0x1.994eb3774cf24p-13, 0x1.1107605230bc4p-7),
                                   __builtin_fma(r3, -0x1.555545995a603p-3, r));
  const double even =
      __builtin_fma(r4 * r2, __builtin_fma(r2, 0x1.99343027bf8c3p-16, -0x1.6c087e89a359dp-10),
                    __builtin_fma(r4, 0x1.55553e1068f19p-5, __builtin_fma(r2, -0x1.ffffffd0c621cp-2, 1.0)));
  /* sine: r, 1, -r, -1 by quadrant; cosine: 1, -r, -1, r */
  const float v = (float)(((n ^ cosine) & 1) == 0 ? odd : even);
  return sl_ptx_float_of(sl_ptx_bits(v) ^ (uint32_t)((cosine ? n + 1 : n) & 2) << 30);
}

/* |x| from 120 on: x times the bits of 4/pi that matter. */
static inline float sl_ptx_sine_large(float x, bool cosine)
{
  static const uint32_t bits[] = {0x000000a2, 0x0000a2f9, 0x00a2f983, 0xa2f9836e, 0xf9836e4e, 0x836e4e44,
                                  0x6e4e4415, 0x4e441529, 0x441529fc, 0x1529fc27, 0x29fc2757, 0xfc2757d1,
                                  0x2757d1f5, 0x57d1f534, 0xd1f534dd, 0xf534ddc0, 0x34ddc0db, 0xddc0db62,
                                  0xc0db6295, 0xdb629599, 0x6295993c, 0x95993c43, 0x993c4390, 0x3c439041};
  const uint32_t v = sl_ptx_bits(x), *from = &bits[v >> 26 & 15],
                 mantissa = ((v & 0xffffff) | 0x800000) << (v >> 23 & 7);
  if ((v & 0x7f800000) == 0x7f800000)
    return x - x;
  uint64_t product = (uint64_t)(mantissa * from[0]) << 32 | (uint64_t)mantissa * from[8] >> 32;
  product += (uint64_t)mantissa * from[4];
  const uint64_t n = (product + (UINT64_C(1) << 61)) >> 62;
  const double r = (double)(int64_t)(product - (n << 62)) * 0x1.921FB54442D18p-62;
  const float s = sl_ptx_sine_of(r, (int)n, cosine);
  return v >> 31 != 0 && !cosine ? -s : s;
}

/* Sines or cosines. A NaN is not canonical. */
static inline void sl_ptx_sines(float *restrict d, const sl_ptx_single *a, bool cosine)
{
  enum { LARGE = 0x42f00000, TINY = 0x39800000 }; /* 120, 2^-12 */
  uint32_t most = 0;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const uint32_t bits = sl_ptx_bits(a[l]), magnitude = bits & INT32_MAX;
    most = magnitude > most ? magnitude : most;
    const double x = (double)sl_ptx_float_of(magnitude < LARGE ? bits : 0);
    const int n = ((int32_t)(x * 0x1.45F306DC9C883p+23) + 0x800000) >> 24; /* 2/pi in units of 2^-24 */
    const float v = sl_ptx_sine_of(__builtin_fma(-(double)n, 0x1.921FB54442D18p0, x), n, cosine);
    d[l] = magnitude < TINY && !cosine ? a[l] : v;
  }
  for (unsigned l = 0; l < SL_PTX_LANES && most >= LARGE; l++)
    if ((sl_ptx_bits(a[l]) & INT32_MAX) >= LARGE)
      d[l] = sl_ptx_sine_large(a[l], cosine);
}

/* Powers of two. A NaN is not canonical. */
static inline void sl_ptx_powers(float *restrict d, const sl_ptx_single *a)
{
  /* Bits of 2^(i/32), less i times 2^47 */
  static const uint64_t table[32] = {0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
                                     0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
                                     0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
                                     0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5585,
                                     0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce13,
                                     0x3feeace5422aa0db, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
                                     0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
                                     0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540};
  float within[SL_PTX_LANES];
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const float low = a[l] > -151 ? a[l] : -151;
    within[l] = low < 129 ? low : 129;
  }
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const double x = (double)within[l], shifted = x + 0x1.8p47; /* in units of 1/32 */
    const double r = x - (shifted - 0x1.8p47);
    uint64_t k;
    double scale;
    memcpy(&k, &shifted, sizeof k);
    k = table[k & 31] + (k << 47);
    memcpy(&scale, &k, sizeof scale);
    const double z = __builtin_fma(0x1.c6af84b912394p-5, r, 0x1.ebfce50fac4f3p-3);
    const double y = __builtin_fma(z, r * r, __builtin_fma(0x1.62e42ff0c52d6p-1, r, 1.0)) * scale;
    d[l] = (float)y;
  }
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    d[l] = a[l] == a[l] ? d[l] : a[l];
}

#endif
