/* Results of floating-point rows by MPFR: the operation in 640 bits, where sums, products and fused products of floats
 * are exact, and quotients and roots have far more digits than could lie near a tie; then one rounding to binary32. */
#ifndef SL_TESTS_ORACLE_H
#define SL_TESTS_ORACLE_H

#include <stdbool.h>
#include <string.h>

#include <mpfr.h>

#include "isa/fp.h"
#include "isa/isa.h"

enum { ORACLE_BITS = 640 };

struct oracle {
  mpfr_t a, b, c, v, r, t;
};

struct oracle_result {
  uint32_t bits, flags;
};

static inline void oracle_init(struct oracle *o)
{
  mpfr_inits2(ORACLE_BITS, o->a, o->b, o->c, o->v, o->r, o->t, (mpfr_ptr)0);
}

static inline void oracle_free(struct oracle *o)
{
  mpfr_clears(o->a, o->b, o->c, o->v, o->r, o->t, (mpfr_ptr)0);
  mpfr_free_cache();
}

static inline void oracle_set(mpfr_t x, uint32_t bits)
{
  float f;
  memcpy(&f, &bits, sizeof f);
  mpfr_set_flt(x, f, MPFR_RNDN);
}

static inline bool oracle_signalling(uint32_t bits)
{
  return (bits & 0x7fc00000) == 0x7f800000 && (bits & 0x003fffff) != 0;
}

/* r = v rounded to a multiple of 2^quantum; returns whether that changed it. */
static inline bool oracle_round(struct oracle *o, long quantum, enum sl_fp_rounding mode)
{
  static const mpfr_rnd_t direction[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};
  mpfr_mul_2si(o->t, o->v, -quantum, MPFR_RNDN);
  if (mode == SL_FP_RMM)
    mpfr_round(o->r, o->t);
  else
    mpfr_rint(o->r, o->t, direction[mode]);
  const bool changed = !mpfr_equal_p(o->r, o->t);
  mpfr_mul_2si(o->r, o->r, quantum, MPFR_RNDN);
  return changed;
}

static inline uint32_t oracle_overflow(bool negative, enum sl_fp_rounding mode)
{
  const bool largest = mode == SL_FP_RTZ || (mode == SL_FP_RDN && !negative) || (mode == SL_FP_RUP && negative);
  return (largest ? 0x7f7fffffu : 0x7f800000u) | (uint32_t)negative << 31;
}

static inline uint32_t oracle_bits(const mpfr_t x)
{
  const float f = mpfr_get_flt(x, MPFR_RNDN);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return mpfr_nan_p(x) ? 0x7fc00000 : bits;
}

/* v as a float. */
static inline struct oracle_result oracle_float(struct oracle *o, enum sl_fp_rounding mode)
{
  if (!mpfr_regular_p(o->v))
    return (struct oracle_result){oracle_bits(o->v), 0};
  const long exponent = (long)mpfr_get_exp(o->v); /* v is below 2^exponent */
  oracle_round(o, exponent - 24, mode);
  const bool tiny = mpfr_get_exp(o->r) <= -126;
  const bool inexact = oracle_round(o, exponent - 24 < -149 ? -149 : exponent - 24, mode);
  if (mpfr_regular_p(o->r) && mpfr_get_exp(o->r) > 128)
    return (struct oracle_result){oracle_overflow(mpfr_signbit(o->r), mode), SL_FP_OVERFLOW | SL_FP_INEXACT};
  return (struct oracle_result){oracle_bits(o->r), !inexact ? 0
                                                   : tiny   ? SL_FP_UNDERFLOW | SL_FP_INEXACT
                                                            : SL_FP_INEXACT};
}

/* a as an integer from least to greatest. */
static inline struct oracle_result oracle_integer(struct oracle *o, long least, long greatest, enum sl_fp_rounding mode)
{
  if (mpfr_nan_p(o->a))
    return (struct oracle_result){(uint32_t)greatest, SL_FP_INVALID};
  mpfr_set(o->v, o->a, MPFR_RNDN);
  mpfr_set(o->r, o->a, MPFR_RNDN);
  const bool inexact = mpfr_number_p(o->a) && oracle_round(o, 0, mode);
  if (mpfr_cmp_si(o->r, greatest) > 0)
    return (struct oracle_result){(uint32_t)greatest, SL_FP_INVALID};
  if (mpfr_cmp_si(o->r, least) < 0)
    return (struct oracle_result){(uint32_t)least, SL_FP_INVALID};
  return (struct oracle_result){(uint32_t)mpfr_get_si(o->r, MPFR_RNDN), inexact ? SL_FP_INEXACT : 0};
}

static inline struct oracle_result oracle_class(const struct oracle *o, uint32_t bits)
{
  const bool negative = mpfr_signbit(o->a);
  unsigned class = 0;
  if (mpfr_nan_p(o->a))
    class = oracle_signalling(bits) ? 8 : 9;
  else if (mpfr_inf_p(o->a))
    class = negative ? 0 : 7;
  else if (mpfr_zero_p(o->a))
    class = negative ? 3 : 4;
  else if (mpfr_get_exp(o->a) <= -126)
    class = negative ? 2 : 5;
  else
    class = negative ? 1 : 6;
  return (struct oracle_result){1u << class, 0};
}

/* v = the exact result; false for other rows. MPFR's rounding mode only decides the sign of a zero sum. */
static inline bool oracle_arithmetic(struct oracle *o, unsigned op, mpfr_rnd_t rnd)
{
  switch (op) {
  case SL_OP_FADD: mpfr_add(o->v, o->a, o->b, rnd); return true;
  case SL_OP_FSUB: mpfr_sub(o->v, o->a, o->b, rnd); return true;
  case SL_OP_FMUL: mpfr_mul(o->v, o->a, o->b, rnd); return true;
  case SL_OP_FDIV: mpfr_div(o->v, o->a, o->b, rnd); return true;
  case SL_OP_FSQRT: mpfr_sqrt(o->v, o->a, rnd); return true;
  case SL_OP_FMADD: mpfr_fma(o->v, o->a, o->b, o->c, rnd); return true;
  case SL_OP_FMSUB: mpfr_fms(o->v, o->a, o->b, o->c, rnd); return true;
  case SL_OP_FNMSUB:
    mpfr_neg(o->a, o->a, rnd);
    mpfr_fma(o->v, o->a, o->b, o->c, rnd);
    return true;
  case SL_OP_FNMADD:
    mpfr_neg(o->a, o->a, rnd);
    mpfr_fms(o->v, o->a, o->b, o->c, rnd);
    return true;
  default: return false;
  }
}

static inline bool oracle_fused(unsigned op)
{
  return op == SL_OP_FMADD || op == SL_OP_FMSUB || op == SL_OP_FNMSUB || op == SL_OP_FNMADD;
}

/* The operands among a, b and c that a row reads. */
static inline unsigned oracle_operands(unsigned op)
{
  const struct sl_insn in = {.op = (uint8_t)op};
  return sl_reads_rs3(&in) ? 3 : sl_reads_rs2(&in) ? 2 : 1;
}

static inline struct oracle_result oracle_comparison(struct oracle *o, unsigned op, const uint32_t x[3])
{
  const bool nan = mpfr_nan_p(o->a) || mpfr_nan_p(o->b);
  const bool signalling = oracle_signalling(x[0]) || oracle_signalling(x[1]);
  const uint32_t flags = (op == SL_OP_FLT || op == SL_OP_FLE ? nan : signalling) ? SL_FP_INVALID : 0;
  switch (op) {
  case SL_OP_FEQ: return (struct oracle_result){mpfr_equal_p(o->a, o->b) != 0, flags};
  case SL_OP_FLT: return (struct oracle_result){mpfr_less_p(o->a, o->b) != 0, flags};
  case SL_OP_FLE: return (struct oracle_result){mpfr_lessequal_p(o->a, o->b) != 0, flags};
  case SL_OP_FMIN: mpfr_min(o->v, o->a, o->b, MPFR_RNDN); break;
  default: mpfr_max(o->v, o->a, o->b, MPFR_RNDN); break;
  }
  return (struct oracle_result){oracle_bits(o->v), flags};
}

/* Sign injection and moves, without MPFR: bits of a with the sign of another value. */
static inline struct oracle_result oracle_sign(unsigned op, uint32_t a, uint32_t b)
{
  const uint32_t sign = op == SL_OP_FSGNJ ? b >> 31 : op == SL_OP_FSGNJN ? 1 - (b >> 31) : a >> 31 != b >> 31;
  const bool moves = op == SL_OP_FMV_X_W || op == SL_OP_FMV_W_X;
  return (struct oracle_result){moves ? a : a % 0x80000000 + sign * 0x80000000, 0};
}

/* Result and flags of a row on operands a, b, c. */
static inline struct oracle_result oracle(struct oracle *o, unsigned op, const uint32_t x[3], enum sl_fp_rounding mode)
{
  bool nan = false, signalling = false;
  oracle_set(o->a, x[0]);
  oracle_set(o->b, x[1]);
  oracle_set(o->c, x[2]);
  for (unsigned i = 0; i < oracle_operands(op); i++) {
    nan |= (x[i] & 0x7fffffff) > 0x7f800000;
    signalling |= oracle_signalling(x[i]);
  }
  switch (op) {
  case SL_OP_FSGNJ:
  case SL_OP_FSGNJN:
  case SL_OP_FSGNJX:
  case SL_OP_FMV_X_W:
  case SL_OP_FMV_W_X: return oracle_sign(op, x[0], x[1]);
  case SL_OP_FEQ:
  case SL_OP_FLT:
  case SL_OP_FLE:
  case SL_OP_FMIN:
  case SL_OP_FMAX: return oracle_comparison(o, op, x);
  case SL_OP_FCLASS: return oracle_class(o, x[0]);
  case SL_OP_FCVT_W_S: return oracle_integer(o, INT32_MIN, INT32_MAX, mode);
  case SL_OP_FCVT_WU_S: return oracle_integer(o, 0, UINT32_MAX, mode);
  case SL_OP_FCVT_S_W: mpfr_set_si(o->v, (int32_t)x[0], MPFR_RNDN); return oracle_float(o, mode);
  case SL_OP_FCVT_S_WU: mpfr_set_ui(o->v, x[0], MPFR_RNDN); return oracle_float(o, mode);
  default: break;
  }
  mpfr_clear_flags();
  if (!oracle_arithmetic(o, op, mode == SL_FP_RDN ? MPFR_RNDD : MPFR_RNDN))
    return (struct oracle_result){0xdeadbeef, ~0u}; /* a row without an oracle */
  const bool divided_by_zero = mpfr_divby0_p();
  struct oracle_result result = oracle_float(o, mode);
  mpfr_mul(o->t, o->a, o->b, MPFR_RNDN);
  const bool no_product =
      oracle_fused(op) && !mpfr_nan_p(o->a) && !mpfr_nan_p(o->b) && mpfr_nan_p(o->t); /* infinity * 0 */
  if (signalling || no_product || (mpfr_nan_p(o->v) && !nan))
    result.flags |= SL_FP_INVALID;
  if (divided_by_zero)
    result.flags |= SL_FP_DIVIDE_BY_ZERO;
  return result;
}

#endif
