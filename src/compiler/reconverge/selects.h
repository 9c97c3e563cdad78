/* Replaces operations for which code generation would create a branch that the source does not have.
 *
 * On Vortex, divergent selects of floats become selects of words, for which it has instructions. SIMTight has no such
 * instructions, so all divergent selects become arithmetic. */
#ifndef SL_MARKS_SELECTS_H
#define SL_MARKS_SELECTS_H

#include "compiler/reconverge/divergence.h"
#include "compiler/reconverge/tool.h"

/* Expands intrinsics: minimum and maximum to comparison and select; rounding to conversion and select; counts of zero
 * bits to a count for nonzero operands and select. Call it before the divergence analysis. */
void sl_selects_spell_out(const struct sl_tool *tool, LLVMValueRef function);

/* Replaces selects with a divergent condition, and conversions of a divergent condition to a float. */
void sl_selects_replace(const struct sl_tool *tool, const struct sl_divergence *divergence, LLVMValueRef function);

#endif
