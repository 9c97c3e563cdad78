/* Execution of floating-point rows with rounding modes and flags on the lanes of a warp: full Zfinx and F.
 *
 * SIMTight's FPU has neither; its rows execute as in lanes.h. Here a register block is 32 (Zfinx) or 64 (F) registers
 * x lanes words, with register r of lane l at x[r * lanes + l]. */
#ifndef SL_ISA_FP_LANES_H
#define SL_ISA_FP_LANES_H

#include "isa/fp.h"
#include "isa/isa.h"

/* Whether sl_fp_execute() has the row: all of floating point but loads and stores. */
bool sl_fp_has(unsigned op);

/* Executes `in`, a row it has, on the lanes in `active` of the register block x. frm is the dynamic rounding mode. The
 * flags each lane raises are added to flags[lane]. x0 keeps its value. False, with nothing done: the rounding mode is
 * reserved, which makes the instruction illegal (section 11.2). */
bool sl_fp_execute(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes, unsigned frm,
                   uint32_t *flags);

#endif
