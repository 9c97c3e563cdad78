/* Execution of floating-point rows with rounding modes and flags on the lanes of a warp: full Zfinx and F.
 *
 * SIMTight's FPU has neither; its rows execute as in lanes.h. Here a register block is 32 (Zfinx) or 64 (F) registers
 * x lanes words, with register r of lane l at x[r * lanes + l].
 *
 * The meaning is that of fp.h, in integer arithmetic, a lane at a time. On x86-64 there is a fast way to the same: the
 * host's vector units on all lanes at once, in fp_vector.c, with rounding mode and flags in MXCSR. SSE and FMA see
 * tininess after rounding like RISC-V (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section
 * 4.9.1.5); NaNs and rounding to nearest with ties away, in which they differ, take the slow way. Emulators of
 * x86-64 that raise no flags in MXCSR (Valgrind) lose flags of the fast way. */
#ifndef SL_ISA_FP_LANES_H
#define SL_ISA_FP_LANES_H

#include "isa/fp.h"
#include "isa/isa.h"

/* One row on the host's FPU, whose MXCSR the caller has set up, where it raises the flags of the active lanes. True,
 * with nothing done but flags: some active lane needs the slow way. */
typedef bool sl_fp_function(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes);

/* The functions of one build level and lane count; NULL for a row that has only the slow way. */
struct sl_fp_ops {
  const char *level; /* "baseline", "avx2", "avx512", "portable" */
  sl_fp_function *execute[SL_OP_COUNT];
};

/* The fastest functions this host can run for a lane count from 1 to 64. */
const struct sl_fp_ops *sl_fp_ops(unsigned lanes);

/* Integer arithmetic for every row, whatever the host. */
const struct sl_fp_ops *sl_fp_ops_portable(void);

/* Whether the functions below have the row: all of floating point but loads and stores. */
bool sl_fp_has(unsigned op);

enum { SL_FCSR_FLAG_BITS = 5 /* of fcsr: flags below, rounding mode above */ };

/* Executes `in`, a row they have, on the lanes in `active` of the register block x. frm is the dynamic rounding mode.
 * x0 keeps its value. False, with nothing done: the rounding mode is reserved, which makes the instruction illegal
 * (section 11.2).
 *
 * The flags each lane raises are added to flags[lane]. */
bool sl_fp_execute(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes, unsigned frm,
                   uint32_t *flags);

/* The same with the flags of all lanes added to *flags; ops are those for `lanes`. To be called between enter and
 * leave, which keep the host's floating-point environment for the caller: here its flags are overwritten. What they
 * were does not matter, and its mode is to nearest again on return. */
bool sl_fp_execute_warp(const struct sl_fp_ops *ops, uint32_t *x, const struct sl_insn *in, sl_lanes active,
                        unsigned lanes, unsigned frm, uint32_t *flags);

/* Around any number of calls of sl_fp_execute_warp(): leave gets what enter returned. */
uint32_t sl_fp_enter(void);
void sl_fp_leave(uint32_t environment);

#endif
