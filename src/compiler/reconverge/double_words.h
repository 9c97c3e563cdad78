/* Expands operations for which code generation for 32-bit words creates branches: comparisons, shifts, and counts of
 * zero bits of 64-bit integers; saturating sums. */
#ifndef SL_MARKS_DOUBLE_WORDS_H
#define SL_MARKS_DOUBLE_WORDS_H

#include "compiler/reconverge/tool.h"

/* Returns the value of the instruction by other instructions, built before it, or NULL if it needs no expansion. */
LLVMValueRef sl_double_words_expand(const struct sl_tool *tool, LLVMValueRef instruction);

/* a < b. The result is a condition. */
LLVMValueRef sl_double_words_less(const struct sl_tool *tool, LLVMValueRef a, LLVMValueRef b, bool is_signed);

#endif
