#include "isa/fp.h"

#define SIGN UINT32_C(0x80000000)
#define INFINITE UINT32_C(0x7f800000)
#define LARGEST UINT32_C(0x7f7fffff)
#define QUIET UINT32_C(0x00400000) /* bit of a quiet NaN */
#define CANONICAL_NAN UINT32_C(0x7fc00000)

enum {
  FRACTION_BITS = 23,
  BIAS = 127,
  LEAST_EXPONENT = -126, /* of a normal number */
  TOP = 61,     /* leading bit of an unpacked number: there is room for a sum of two above, and for guard bits below */
  LEADING = 62, /* leading bit of a number about to be rounded */
  OF_ZERO = -10000 /* exponent of zero: smaller than any other by more than any shift */
};

/* significand * 2^exponent. Below the bits that a result keeps, bit 0 is sticky: it stands for all bits cut off. */
struct number {
  bool negative;
  int exponent;
  uint64_t significand; /* 0, or its leading bit is bit TOP */
};

static bool is_nan(uint32_t a)
{
  return (a & ~SIGN) > INFINITE;
}

static bool is_signalling(uint32_t a)
{
  return is_nan(a) && !(a & QUIET);
}

static bool is_infinite(uint32_t a)
{
  return (a & ~SIGN) == INFINITE;
}

static bool is_zero(uint32_t a)
{
  return (a & ~SIGN) == 0;
}

static uint32_t invalid(uint32_t *flags)
{
  *flags |= SL_FP_INVALID;
  return CANONICAL_NAN;
}

/* The result if some operand is a NaN. */
static uint32_t from_nan(uint32_t a, uint32_t b, uint32_t *flags)
{
  if (is_signalling(a) || is_signalling(b))
    *flags |= SL_FP_INVALID;
  return CANONICAL_NAN;
}

/* Shifts right; bit 0 is the sticky bit of the lost bits. */
static uint64_t shift_right(uint64_t value, unsigned n)
{
  if (n >= 64)
    return value != 0;
  return value >> n | ((value & sl_low_bits(n)) != 0);
}

static struct number normal(bool negative, int exponent, uint64_t significand)
{
  if (significand == 0)
    return (struct number){.negative = negative, .exponent = OF_ZERO};
  const int lead = __builtin_clzll(significand) - (63 - TOP);
  return (struct number){.negative = negative, .exponent = exponent - lead, .significand = significand << lead};
}

/* Unpacks a finite number. */
static struct number unpack(uint32_t a)
{
  const uint32_t biased = a >> FRACTION_BITS & 0xff, fraction = a & 0x7fffff;
  const bool hidden = biased != 0;
  return normal(a >> 31, (hidden ? (int)biased : 1) - BIAS - FRACTION_BITS,
                fraction | (uint32_t)hidden << FRACTION_BITS);
}

/* The 24 significant bits of an unpacked operand; its exponent then grows by TOP - FRACTION_BITS. */
static uint64_t short_significand(struct number x)
{
  return x.significand >> (TOP - FRACTION_BITS);
}

/* value / 2^n rounded to an integer; value is less than 2^63. */
static uint64_t round_off(uint64_t value, unsigned n, bool negative, enum sl_fp_rounding mode, bool *inexact)
{
  if (n > 63) { /* less than a half */
    value = value != 0;
    n = 63;
  }
  const uint64_t kept = value >> n, rest = value & sl_low_bits(n), half = sl_bit(n) >> 1;
  bool up = false;
  switch (mode) {
  case SL_FP_RNE: up = rest > half || (rest == half && (kept & 1)); break;
  case SL_FP_RDN: up = rest != 0 && negative; break;
  case SL_FP_RUP: up = rest != 0 && !negative; break;
  case SL_FP_RMM: up = rest != 0 && rest >= half; break;
  default: break;
  }
  *inexact = rest != 0;
  return kept + up;
}

/* Overflow gives infinity or, if the mode rounds towards zero, the largest number. */
static uint32_t overflow(bool negative, enum sl_fp_rounding mode, uint32_t *flags)
{
  const bool towards_zero = mode == SL_FP_RTZ || mode == (negative ? SL_FP_RUP : SL_FP_RDN);
  *flags |= SL_FP_OVERFLOW | SL_FP_INEXACT;
  return (towards_zero ? LARGEST : INFINITE) | (uint32_t)negative << 31;
}

/* Rounds a number below the normal range; `exponent` is that of its leading bit. The number is tiny unless rounding
 * with an unbounded exponent makes it normal. */
static uint32_t round_subnormal(uint64_t significand, int exponent, bool negative, enum sl_fp_rounding mode,
                                uint32_t *flags)
{
  const unsigned cut = LEADING - FRACTION_BITS;
  bool inexact;
  const bool tiny = exponent < LEAST_EXPONENT - 1 ||
                    round_off(significand, cut, negative, mode, &inexact) < UINT64_C(2) << FRACTION_BITS;
  const uint64_t kept = round_off(significand, cut + (unsigned)(LEAST_EXPONENT - exponent), negative, mode, &inexact);
  if (inexact)
    *flags |= tiny ? SL_FP_UNDERFLOW | SL_FP_INEXACT : SL_FP_INEXACT;
  return (uint32_t)kept | (uint32_t)negative << 31;
}

/* Rounds a number to a float according to the mode. The leading bit of a sum may be bit LEADING. */
static uint32_t pack(struct number x, enum sl_fp_rounding mode, uint32_t *flags)
{
  const uint32_t sign = (uint32_t)x.negative << 31;
  if (x.significand == 0)
    return sign;
  const int lead = __builtin_clzll(x.significand) - (63 - LEADING);
  const uint64_t significand = x.significand << lead;
  const int exponent = x.exponent - lead + LEADING;
  if (exponent < LEAST_EXPONENT)
    return round_subnormal(significand, exponent, x.negative, mode, flags);
  if (exponent > BIAS)
    return overflow(x.negative, mode, flags);
  bool inexact;
  const uint64_t kept = round_off(significand, LEADING - FRACTION_BITS, x.negative, mode, &inexact);
  /* The leading bit adds one to the exponent, and one more if rounding carried into the next binade. */
  const uint32_t bits = ((uint32_t)(exponent + BIAS - 1) << FRACTION_BITS) + (uint32_t)kept;
  if (bits >= INFINITE)
    return overflow(x.negative, mode, flags);
  *flags |= inexact ? SL_FP_INEXACT : 0;
  return bits | sign;
}

/* The sum of two numbers, exact or with a sticky bit 0. The smaller number loses bits only if it is so much smaller
 * that at most one leading bit can cancel. A zero sum of operands with different signs is -0 when rounding down, else
 * +0 (section 11.6 refers to IEEE 754-2008, section 6.3). */
static struct number sum(struct number x, struct number y, enum sl_fp_rounding mode)
{
  if (x.exponent > y.exponent) {
    const struct number greater = x;
    x = y;
    y = greater;
  }
  x.significand = shift_right(x.significand, (unsigned)(y.exponent - x.exponent));
  if (x.negative == y.negative)
    return (struct number){y.negative, y.exponent, y.significand + x.significand};
  if (x.significand == y.significand)
    return (struct number){.negative = mode == SL_FP_RDN};
  if (x.significand > y.significand)
    return (struct number){x.negative, y.exponent, x.significand - y.significand};
  return (struct number){y.negative, y.exponent, y.significand - x.significand};
}

static struct number product(struct number x, struct number y)
{
  return normal(x.negative != y.negative, x.exponent + y.exponent + 2 * (TOP - FRACTION_BITS),
                short_significand(x) * short_significand(y));
}

uint32_t sl_fp_add(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags)
{
  if (is_nan(a) || is_nan(b))
    return from_nan(a, b, flags);
  if (is_infinite(a))
    return is_infinite(b) && a != b ? invalid(flags) : a;
  if (is_infinite(b))
    return b;
  return pack(sum(unpack(a), unpack(b), mode), mode, flags);
}

uint32_t sl_fp_sub(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags)
{
  return sl_fp_add(a, b ^ SIGN, mode, flags);
}

uint32_t sl_fp_mul(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags)
{
  if (is_nan(a) || is_nan(b))
    return from_nan(a, b, flags);
  if (is_infinite(a) || is_infinite(b))
    return is_zero(a) || is_zero(b) ? invalid(flags) : INFINITE | ((a ^ b) & SIGN);
  return pack(product(unpack(a), unpack(b)), mode, flags);
}

uint32_t sl_fp_div(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags)
{
  const uint32_t sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b))
    return from_nan(a, b, flags);
  if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
    return invalid(flags);
  if (is_infinite(a) || is_infinite(b))
    return is_infinite(a) ? INFINITE | sign : sign;
  if (is_zero(b)) {
    *flags |= SL_FP_DIVIDE_BY_ZERO;
    return INFINITE | sign;
  }
  enum { MORE = 40 }; /* additional bits of the quotient below those of the operands */
  const struct number x = unpack(a), y = unpack(b);
  const uint64_t dividend = short_significand(x) << MORE, divisor = short_significand(y);
  const uint64_t quotient = dividend / divisor | (dividend % divisor != 0);
  return pack(normal(sign != 0, x.exponent - y.exponent - MORE, quotient), mode, flags);
}

/* The integer square root, digit by digit; bit 0 is set if it is inexact. */
static uint64_t square_root(uint64_t radicand)
{
  uint64_t root = 0, rest = radicand;
  for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 2) {
    const uint64_t trial = root + bit;
    root >>= 1;
    if (rest >= trial) {
      rest -= trial;
      root += bit;
    }
  }
  return root | (rest != 0);
}

uint32_t sl_fp_sqrt(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags)
{
  if (is_nan(a))
    return from_nan(a, a, flags);
  if (is_zero(a) || a == INFINITE)
    return a;
  if (a & SIGN)
    return invalid(flags);
  const struct number x = unpack(a);
  const unsigned odd = (unsigned)x.exponent & 1; /* half of the exponent must be an integer */
  return pack(normal(false, (x.exponent - (int)odd) / 2, square_root(x.significand << odd)), mode, flags);
}

uint32_t sl_fp_madd(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags)
{
  const uint32_t sign = (a ^ b) & SIGN;
  /* Invalid even if c is a quiet NaN (section 11.6). */
  if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b)))
    return invalid(flags);
  if (is_nan(a) || is_nan(b) || is_nan(c))
    return from_nan(a, is_signalling(b) ? b : c, flags);
  if (is_infinite(a) || is_infinite(b))
    return is_infinite(c) && (c & SIGN) != sign ? invalid(flags) : INFINITE | sign;
  if (is_infinite(c))
    return c;
  return pack(sum(product(unpack(a), unpack(b)), unpack(c), mode), mode, flags);
}

uint32_t sl_fp_msub(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags)
{
  return sl_fp_madd(a, b, c ^ SIGN, mode, flags);
}

uint32_t sl_fp_nmsub(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags)
{
  return sl_fp_madd(a ^ SIGN, b, c, mode, flags);
}

uint32_t sl_fp_nmadd(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags)
{
  return sl_fp_madd(a ^ SIGN, b, c ^ SIGN, mode, flags);
}

/* Maps bits so that an unsigned comparison orders numbers, with -0 below +0. */
static uint32_t order(uint32_t a)
{
  return a & SIGN ? ~a : a | SIGN;
}

static uint32_t lesser_or_greater(uint32_t a, uint32_t b, bool greater, uint32_t *flags)
{
  if (is_signalling(a) || is_signalling(b))
    *flags |= SL_FP_INVALID;
  if (is_nan(a))
    return is_nan(b) ? CANONICAL_NAN : b;
  if (is_nan(b))
    return a;
  return (order(a) < order(b)) != greater ? a : b;
}

uint32_t sl_fp_min(uint32_t a, uint32_t b, uint32_t *flags)
{
  return lesser_or_greater(a, b, false, flags);
}

uint32_t sl_fp_max(uint32_t a, uint32_t b, uint32_t *flags)
{
  return lesser_or_greater(a, b, true, flags);
}

uint32_t sl_fp_sgnj(uint32_t a, uint32_t b)
{
  return (a & ~SIGN) | (b & SIGN);
}

uint32_t sl_fp_sgnjn(uint32_t a, uint32_t b)
{
  return (a & ~SIGN) | (~b & SIGN);
}

uint32_t sl_fp_sgnjx(uint32_t a, uint32_t b)
{
  return a ^ (b & SIGN);
}

uint32_t sl_fp_eq(uint32_t a, uint32_t b, uint32_t *flags)
{
  if (is_signalling(a) || is_signalling(b))
    *flags |= SL_FP_INVALID;
  return !is_nan(a) && !is_nan(b) && (a == b || (is_zero(a) && is_zero(b)));
}

uint32_t sl_fp_lt(uint32_t a, uint32_t b, uint32_t *flags)
{
  if (is_nan(a) || is_nan(b)) {
    *flags |= SL_FP_INVALID;
    return 0;
  }
  return order(a) < order(b) && !(is_zero(a) && is_zero(b));
}

uint32_t sl_fp_le(uint32_t a, uint32_t b, uint32_t *flags)
{
  if (is_nan(a) || is_nan(b)) {
    *flags |= SL_FP_INVALID;
    return 0;
  }
  return order(a) <= order(b) || (is_zero(a) && is_zero(b));
}

uint32_t sl_fp_classify(uint32_t a)
{
  const bool negative = a >> 31;
  if (is_nan(a))
    return is_signalling(a) ? 1u << 8 : 1u << 9;
  if (is_infinite(a))
    return negative ? 1u << 0 : 1u << 7;
  if (is_zero(a))
    return negative ? 1u << 3 : 1u << 4;
  if ((a & INFINITE) == 0)
    return negative ? 1u << 2 : 1u << 5;
  return negative ? 1u << 1 : 1u << 6;
}

/* Converts to an integer of magnitude at most most[negative]. */
static uint32_t to_integer(uint32_t a, const uint64_t most[2], enum sl_fp_rounding mode, uint32_t *flags)
{
  const bool negative = a >> 31 && !is_nan(a);
  const struct number x = unpack(a);
  bool inexact = false;
  uint64_t magnitude = UINT64_MAX;
  if (x.exponent <= 32 - TOP) /* below 2^33, so neither infinite nor a NaN */
    magnitude = round_off(x.significand, (unsigned)-x.exponent, negative, mode, &inexact);
  if (magnitude > most[negative]) {
    *flags |= SL_FP_INVALID;
    magnitude = most[negative];
  } else if (inexact) {
    *flags |= SL_FP_INEXACT;
  }
  return (uint32_t)(negative ? 0 - magnitude : magnitude);
}

uint32_t sl_fp_to_i32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags)
{
  static const uint64_t most[2] = {INT32_MAX, UINT64_C(1) << 31};
  return to_integer(a, most, mode, flags);
}

uint32_t sl_fp_to_u32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags)
{
  static const uint64_t most[2] = {UINT32_MAX, 0};
  return to_integer(a, most, mode, flags);
}

uint32_t sl_fp_from_i32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags)
{
  const bool negative = a >> 31;
  return pack(normal(negative, 0, negative ? 0 - a : a), mode, flags);
}

uint32_t sl_fp_from_u32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags)
{
  return pack(normal(false, 0, a), mode, flags);
}
