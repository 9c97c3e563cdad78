/* Exact single-precision arithmetic: results and flags of RV32F and Zfinx in every rounding mode.
 *
 * All functions use integer arithmetic only. They neither depend on nor change the host's floating-point environment,
 * and compiler optimisations cannot affect them. Operands and results are bits of the binary32 format. Flags are added
 * to *flags. NaN results are canonical; tininess is detected after rounding. Source: The RISC-V Instruction Set Manual,
 * Volume I, sections 11.2 to 11.9. */
#ifndef SL_ISA_FP_H
#define SL_ISA_FP_H

#include "base/types.h"

/* Rounding modes, encoded as in the rm field and frm (table 11.1). */
enum sl_fp_rounding {
  SL_FP_RNE, /* to nearest, ties to even */
  SL_FP_RTZ, /* towards zero */
  SL_FP_RDN, /* down */
  SL_FP_RUP, /* up */
  SL_FP_RMM, /* to nearest, ties away from zero */
  SL_FP_ROUNDING_COUNT,
  SL_FP_DYNAMIC = 7 /* in an instruction: the mode in frm */
};

/* Accrued exceptions, encoded as in fflags (table 11.2). */
enum sl_fp_flag {
  SL_FP_INEXACT = 1,
  SL_FP_UNDERFLOW = 2,
  SL_FP_OVERFLOW = 4,
  SL_FP_DIVIDE_BY_ZERO = 8,
  SL_FP_INVALID = 16
};

uint32_t sl_fp_add(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_sub(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_mul(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_div(uint32_t a, uint32_t b, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_sqrt(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags);

/* a * b + c, a * b - c, -(a * b) + c and -(a * b) - c, rounded once. */
uint32_t sl_fp_madd(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_msub(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_nmsub(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_nmadd(uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags);

/* If one operand is a NaN, the result is the other one; -0 is less than +0. */
uint32_t sl_fp_min(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t sl_fp_max(uint32_t a, uint32_t b, uint32_t *flags);

/* a with the sign of b, with its opposite, and with the product of both signs. */
uint32_t sl_fp_sgnj(uint32_t a, uint32_t b);
uint32_t sl_fp_sgnjn(uint32_t a, uint32_t b);
uint32_t sl_fp_sgnjx(uint32_t a, uint32_t b);

/* 1 or 0. A quiet NaN raises invalid in lt and le only. */
uint32_t sl_fp_eq(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t sl_fp_lt(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t sl_fp_le(uint32_t a, uint32_t b, uint32_t *flags);

/* One bit of ten (table 11.5). */
uint32_t sl_fp_classify(uint32_t a);

/* Unrepresentable values saturate and raise invalid; a NaN gives the greatest integer (table 11.4). */
uint32_t sl_fp_to_i32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_to_u32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_from_i32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags);
uint32_t sl_fp_from_u32(uint32_t a, enum sl_fp_rounding mode, uint32_t *flags);

#endif
