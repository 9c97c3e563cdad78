/* The three phases before the rest of an RV32 kernel with linear registers (R2D2, section 3.2): coefficients, which one
 * lane computes; thread part; block part, in which lane i is linear register i. A warp enters them in the state of a
 * kernel entry: a0 is the launch block, sp the stack. */
#ifndef SL_LINEAR_RV32_RV32_PHASES_H
#define SL_LINEAR_RV32_RV32_PHASES_H

#include "compiler/linear/linear_plan.h"
#include "compiler/linear/linear_rv32.h"
#include "compiler/linear/rv32/rv32_items.h"

enum { SL_RV32_FACTOR_BITS = 12 }; /* signed numbers of this size need no coefficient register */

/* Appends the phases; begins[p] is the first item of phase p. */
void sl_rv32_phases_add(struct sl_rv32_items *items, const struct sl_linear_plan *plan,
                        const struct sl_linear_coefficients *coefficients, const struct sl_linear_abi *abi,
                        uint32_t begins[3]);

#endif
