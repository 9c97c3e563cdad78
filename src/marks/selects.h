/* Removes operations that code generation would turn into an unannotated branch, although the source has none.
 * Divergent selects of floats become selects of words on Vortex, which has instructions for these. SIMTight has none,
 * so all divergent selects become arithmetic. */
#ifndef SL_MARKS_SELECTS_H
#define SL_MARKS_SELECTS_H

#include "marks/divergence.h"
#include "marks/tool.h"

/* Minimum and maximum as comparison and select, rounding as conversion and select, counts of zeros as one of what is
 * not 0 and select. Before divergence is looked for. */
void sl_selects_spell_out(const struct sl_tool *tool, LLVMValueRef function);

/* Replaces the selects whose condition differs, and the conversions of such a condition to a number. */
void sl_selects_replace(const struct sl_tool *tool, const struct sl_divergence *divergence, LLVMValueRef function);

#endif
