/* Reconvergence annotations as inline assembly that no pass moves, copies or merges. Each is built at the position of
 * the tool's builder. */
#ifndef SL_MARKS_ASSEMBLY_H
#define SL_MARKS_ASSEMBLY_H

#include "compiler/reconverge/tool.h"

/* Vortex. The result is the condition as a word that depends on the instruction, for the branch after it. */
struct sl_split {
  LLVMValueRef token, condition;
};
struct sl_split sl_assembly_split(const struct sl_tool *tool, LLVMValueRef condition);
void sl_assembly_join(const struct sl_tool *tool, LLVMValueRef token);
LLVMValueRef sl_assembly_active(const struct sl_tool *tool);
LLVMValueRef sl_assembly_predicate(const struct sl_tool *tool, LLVMValueRef condition, LLVMValueRef lanes);

/* SIMTight. */
void sl_assembly_push(const struct sl_tool *tool);
void sl_assembly_pop(const struct sl_tool *tool);

/* Hides a word's value from the optimiser; a float as an integer, rounded in the instruction's mode. */
LLVMValueRef sl_assembly_opaque(const struct sl_tool *tool, LLVMValueRef word);
LLVMValueRef sl_assembly_round(const struct sl_tool *tool, LLVMValueRef value, const char *mode);

#endif
