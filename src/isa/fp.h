/* Exact single-precision arithmetic: results and flags of RV32F and Zfinx in every rounding mode.
 *
 * All functions use integer arithmetic only. They neither depend on nor change the host's floating-point environment,
 * and compiler optimisations cannot affect them. Operands and results are bits of the binary32 format. Flags are added
 * to *flags. NaN results are canonical; tininess is detected after rounding. Source: The RISC-V Instruction Set Manual,
 * Volume I, sections 11.2 to 11.9. */
#ifndef SL_ISA_FP_H
#define SL_ISA_FP_H

#include "base/types.h"
#include "isa/isa.h"

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

/* Executes floating-point instructions with rounding modes and flags on the lanes of a warp: full Zfinx and F.
 *
 * SIMTight's FPU has neither modes nor flags; lanes.h executes its instructions. Here a register block has 32 (Zfinx)
 * or 64 (F) registers x lanes words. Register r of lane l is x[r * lanes + l].
 *
 * The slow path executes lane by lane with the integer arithmetic above. On x86-64 a fast path (fp_vector.c) gives
 * the same results: the host's vector units process all lanes at once, with rounding mode and flags in MXCSR. SSE and
 * FMA detect tininess after rounding, as RISC-V does (Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 1, section 4.9.1.5). NaNs and rounding to nearest with ties away differ and take the slow path. x86-64
 * emulators that raise no flags in MXCSR (Valgrind) lose flags of the fast path. */

/* Executes one instruction on the host's FPU. The caller has set MXCSR, which accumulates the flags of the active
 * lanes. Returns true, with no effect except on flags, if an active lane needs the slow path. */
typedef bool sl_fp_function(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes);

/* The functions for one host level and lane count; NULL for an instruction that has only the slow path. */
struct sl_fp_ops {
  const char *level; /* "baseline", "avx2", "avx512", "portable" */
  sl_fp_function *execute[SL_OP_COUNT];
};

/* The fastest functions for this host and a lane count from 1 to 64. */
const struct sl_fp_ops *sl_fp_ops(unsigned lanes);

/* The integer arithmetic for every instruction, on any host. */
const struct sl_fp_ops *sl_fp_ops_portable(void);

/* Whether the functions below support the instruction: all of floating point except loads and stores. */
bool sl_fp_has(unsigned op);

enum { SL_FCSR_FLAG_BITS = 5 /* width of the flags in fcsr; the rounding mode lies above them */ };

/* Executes `in`, a supported instruction, on the lanes in `active` of the register block x. frm is the dynamic rounding
 * mode. x0 keeps its value. Returns false, with no effect, if the rounding mode is reserved, which makes the
 * instruction illegal (section 11.2).
 *
 * The flags that each lane raises are added to flags[lane]. */
bool sl_fp_execute(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes, unsigned frm,
                   uint32_t *flags);

/* The same with the flags of all lanes added to *flags; ops are the functions for `lanes`. Call it between sl_fp_enter
 * and sl_fp_leave, which preserve the caller's floating-point environment. The function overwrites the host's flags. On
 * return, the host's mode is round-to-nearest again. */
bool sl_fp_execute_warp(const struct sl_fp_ops *ops, uint32_t *x, const struct sl_insn *in, sl_lanes active,
                        unsigned lanes, unsigned frm, uint32_t *flags);

/* Enclose any number of sl_fp_execute_warp() calls; sl_fp_leave takes sl_fp_enter's result. */
uint32_t sl_fp_enter(void);
void sl_fp_leave(uint32_t environment);

#endif
