/* The three phases before the rest of a kernel in RV32 with linear registers: coefficients, which one lane computes;
 * the part of the thread; the part of the block, in which lane i is linear register i (R2D2, section 3.2). A warp
 * begins them as it begins the kernel: a0 is the launch block, sp the stack. */
#ifndef SL_LINEAR_RV32_RV32_PHASES_H
#define SL_LINEAR_RV32_RV32_PHASES_H

#include "linear/linear_coefficients.h"
#include "linear/linear_rv32.h"
#include "linear/rv32/rv32_items.h"

enum { SL_RV32_FACTOR_BITS = 12 }; /* signed numbers that need no coefficient register */

/* Adds them; begins[p] is the first item of phase p. */
void sl_rv32_phases_add(struct sl_rv32_items *items, const struct sl_linear_plan *plan,
                        const struct sl_linear_coefficients *coefficients, const struct sl_linear_abi *abi,
                        uint32_t begins[3]);

#endif
