#include "marks/endings.h"

#include <stddef.h>

#include "marks/assembly.h"
#include "marks/flow.h"

static void build_return(const struct sl_tool *tool, LLVMValueRef function)
{
  const LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(tool->builder);
  else
    LLVMBuildRet(tool->builder, LLVMConstNull(type));
}

static bool ends_with(LLVMBasicBlockRef block, LLVMOpcode opcode)
{
  return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block)) == opcode;
}

static void return_where_unreachable(const struct sl_tool *tool, LLVMValueRef function)
{
  bool returns = false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    returns |= ends_with(b, LLVMRet);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL && returns; b = LLVMGetNextBasicBlock(b))
    if (ends_with(b, LLVMUnreachable)) {
      const LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      LLVMPositionBuilderBefore(tool->builder, end);
      build_return(tool, function);
      LLVMInstructionEraseFromParent(end);
    }
}

/* Returns the back edge to a header of a loop without exit: an unconditional branch, or NULL. */
static LLVMValueRef way_back(const struct sl_flow *flow, unsigned header)
{
  for (unsigned e = flow->predecessors.begin[header]; e < flow->predecessors.begin[header + 1]; e++) {
    const unsigned from = flow->predecessors.item[e];
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(flow->block[from]);
    if (sl_flow_in_loop(flow, from, header) && LLVMGetNumSuccessors(branch) == 1)
      return branch;
  }
  return NULL;
}

static void add_exit(const struct sl_tool *tool, LLVMValueRef function, LLVMValueRef branch)
{
  const LLVMBasicBlockRef header = LLVMGetSuccessor(branch, 0);
  const LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(tool->context, function, "");
  const LLVMValueRef never = LLVMConstNull(LLVMInt32TypeInContext(tool->context));
  LLVMPositionBuilderAtEnd(tool->builder, exit);
  build_return(tool, function);
  LLVMPositionBuilderBefore(tool->builder, branch);
  const LLVMValueRef leaves = LLVMBuildICmp(tool->builder, LLVMIntNE, sl_assembly_opaque(tool, never), never, "");
  LLVMBuildCondBr(tool->builder, leaves, exit, header);
  LLVMInstructionEraseFromParent(branch);
}

void sl_give_endings(const struct sl_tool *tool, LLVMValueRef function)
{
  struct sl_flow flow;
  return_where_unreachable(tool, function);
  sl_flow_make(&flow, function);
  for (unsigned i = 0; i < flow.reached; i++) {
    const unsigned b = flow.order[i];
    const LLVMValueRef back =
        b < flow.count && flow.post_dominator[b] == SL_NO_BLOCK && flow.loop[b] == b ? way_back(&flow, b) : NULL;
    if (back != NULL)
      add_exit(tool, function, back);
  }
  sl_flow_free(&flow);
}
