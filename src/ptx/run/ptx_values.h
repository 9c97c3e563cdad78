/* Helper functions for rows of ptx_lanes.def that need more than an expression. */
#ifndef SL_PTX_RUN_PTX_VALUES_H
#define SL_PTX_RUN_PTX_VALUES_H

#include <math.h>

#include "base/types.h"

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

#endif
