/* Helper functions for the semantics column of rv32.def: division and single-precision arithmetic.
 *
 * The floating-point arithmetic is that of SIMTight's FPU: round to nearest even (conversions to integer truncate), no
 * flags, canonical NaN results (The RISC-V Instruction Set Manual, Volume I, section 11.3). Operands and results are
 * the bits of a float in an integer register (Zfinx). */
#ifndef SL_ISA_SEMANTICS_H
#define SL_ISA_SEMANTICS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SL_F32_SIGN UINT32_C(0x80000000)
#define SL_F32_NAN UINT32_C(0x7fc00000)

/* Signed division and remainder with RISC-V's results for a zero divisor and for INT32_MIN / -1. */
static inline uint32_t sl_div(uint32_t a, uint32_t b)
{
  if (b == 0)
    return UINT32_MAX;
  if (a == SL_F32_SIGN && b == UINT32_MAX)
    return a;
  return (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t sl_rem(uint32_t a, uint32_t b)
{
  if (b == 0)
    return a;
  if (a == SL_F32_SIGN && b == UINT32_MAX)
    return 0;
  return (uint32_t)((int32_t)a % (int32_t)b);
}

static inline float sl_f32(uint32_t bits)
{
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* The bits of a result, with NaNs made canonical. */
static inline uint32_t sl_f32_bits(float f)
{
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return f != f ? SL_F32_NAN : bits;
}

static inline uint32_t sl_f32_is_nan(uint32_t a)
{
  return (a & INT32_MAX) > 0x7f800000;
}

static inline uint32_t sl_f32_add(uint32_t a, uint32_t b)
{
  return sl_f32_bits(sl_f32(a) + sl_f32(b));
}

static inline uint32_t sl_f32_sub(uint32_t a, uint32_t b)
{
  return sl_f32_bits(sl_f32(a) - sl_f32(b));
}

static inline uint32_t sl_f32_mul(uint32_t a, uint32_t b)
{
  return sl_f32_bits(sl_f32(a) * sl_f32(b));
}

static inline uint32_t sl_f32_div(uint32_t a, uint32_t b)
{
  return sl_f32_bits(sl_f32(a) / sl_f32(b));
}

static inline uint32_t sl_f32_sqrt(uint32_t a)
{
  return sl_f32_bits(sqrtf(sl_f32(a)));
}

static inline uint32_t sl_f32_eq(uint32_t a, uint32_t b)
{
  return sl_f32(a) == sl_f32(b);
}

static inline uint32_t sl_f32_lt(uint32_t a, uint32_t b)
{
  return sl_f32(a) < sl_f32(b);
}

static inline uint32_t sl_f32_le(uint32_t a, uint32_t b)
{
  return sl_f32(a) <= sl_f32(b);
}

/* Maps bits so that an unsigned comparison orders floats, with -0 below +0. */
static inline uint32_t sl_f32_order(uint32_t a)
{
  return a ^ ((uint32_t)((int32_t)a >> 31) | SL_F32_SIGN);
}

static inline uint32_t sl_f32_min(uint32_t a, uint32_t b)
{
  uint32_t least = sl_f32_order(a) < sl_f32_order(b) ? a : b;
  uint32_t number = sl_f32_is_nan(a) ? b : sl_f32_is_nan(b) ? a : least;
  return sl_f32_is_nan(number) ? SL_F32_NAN : number;
}

static inline uint32_t sl_f32_max(uint32_t a, uint32_t b)
{
  uint32_t most = sl_f32_order(a) > sl_f32_order(b) ? a : b;
  uint32_t number = sl_f32_is_nan(a) ? b : sl_f32_is_nan(b) ? a : most;
  return sl_f32_is_nan(number) ? SL_F32_NAN : number;
}

static inline uint32_t sl_f32_to_i32(uint32_t a)
{
  float f = sl_f32(a);
  if (f >= 0x1p31f || sl_f32_is_nan(a))
    return INT32_MAX;
  return f < -0x1p31f ? SL_F32_SIGN : (uint32_t)(int32_t)f;
}

static inline uint32_t sl_f32_to_u32(uint32_t a)
{
  float f = sl_f32(a);
  if (f >= 0x1p32f || sl_f32_is_nan(a))
    return UINT32_MAX;
  return f <= -1.0f ? 0 : (uint32_t)(int64_t)f;
}

static inline uint32_t sl_f32_from_i32(uint32_t a)
{
  return sl_f32_bits((float)(int32_t)a);
}

static inline uint32_t sl_f32_from_u32(uint32_t a)
{
  return sl_f32_bits((float)a);
}

#endif
