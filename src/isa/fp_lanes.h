/* Executes floating-point instructions with rounding modes and flags on the lanes of a warp: full Zfinx and F.
 *
 * SIMTight's FPU has neither modes nor flags; lanes.h executes its instructions. Here a register block has 32 (Zfinx)
 * or 64 (F) registers x lanes words. Register r of lane l is x[r * lanes + l].
 *
 * The slow path executes lane by lane with the integer arithmetic of fp.h. On x86-64 a fast path (fp_vector.c) gives
 * the same results: the host's vector units process all lanes at once, with rounding mode and flags in MXCSR. SSE and
 * FMA detect tininess after rounding, as RISC-V does (Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 1, section 4.9.1.5). NaNs and rounding to nearest with ties away differ and take the slow path. x86-64
 * emulators that raise no flags in MXCSR (Valgrind) lose flags of the fast path. */
#ifndef SL_ISA_FP_LANES_H
#define SL_ISA_FP_LANES_H

#include "isa/fp.h"
#include "isa/isa.h"

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
