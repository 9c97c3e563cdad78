#include "compiler/reconverge/passes.h"

#include <string.h>

enum { CALLS = 4, OPERANDS = 256 }; /* limits of the search: nested calls; operands of a condition */

static bool reads_shared(LLVMValueRef instruction, unsigned calls);

/* Returns true if the function reads words that other lanes may write. */
static bool function_reads(LLVMValueRef function, unsigned calls)
{
  if (calls == 0)
    return false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
      if (reads_shared(i, calls - 1))
        return true;
  return false;
}

static bool call_reads(LLVMValueRef call, unsigned calls)
{
  const char *text = sl_assembly_of(call);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    return false;
  if (text != NULL)
    return strstr(text, "amo") != NULL || strstr(text, "lr.w") != NULL || strstr(text, "sc.w") != NULL;
  const LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  return callee != NULL && function_reads(callee, calls);
}

/* Returns true for atomics, volatile loads, and calls of functions with such. */
static bool reads_shared(LLVMValueRef instruction, unsigned calls)
{
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return true;
  case LLVMLoad: return LLVMGetVolatile(instruction) || LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
  case LLVMCall: return call_reads(instruction, calls);
  default: return false;
  }
}

static unsigned number_of(const struct sl_flow *flow, LLVMBasicBlockRef block)
{
  unsigned b = 0;
  while (flow->block[b] != block)
    b++;
  return b;
}

/* Returns true if the value depends on a word that the loop reads. */
static bool depends(const struct sl_flow *flow, unsigned header, LLVMValueRef value, unsigned *left)
{
  if (LLVMIsAInstruction(value) == NULL || *left == 0)
    return false;
  --*left;
  if (!sl_flow_in_loop(flow, number_of(flow, LLVMGetInstructionParent(value)), header))
    return false;
  if (reads_shared(value, CALLS))
    return true;
  if (LLVMGetInstructionOpcode(value) == LLVMCall)
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (depends(flow, header, LLVMGetOperand(value, (unsigned)i), left))
      return true;
  return false;
}

static LLVMValueRef conditional(const struct sl_flow *flow, unsigned block)
{
  const LLVMValueRef branch = LLVMGetBasicBlockTerminator(flow->block[block]);
  return LLVMGetInstructionOpcode(branch) == LLVMBr && LLVMIsConditional(branch) ? branch : NULL;
}

static bool leaves(const struct sl_flow *flow, unsigned block, unsigned header)
{
  for (unsigned e = flow->successors.begin[block]; e < flow->successors.begin[block + 1]; e++)
    if (flow->successors.item[e] == flow->count || !sl_flow_in_loop(flow, flow->successors.item[e], header))
      return true;
  return false;
}

static void hide_condition(const struct sl_tool *tool, LLVMValueRef branch)
{
  const LLVMTypeRef word = LLVMInt32TypeInContext(tool->context);
  LLVMPositionBuilderBefore(tool->builder, branch);
  const LLVMValueRef known = LLVMBuildZExt(tool->builder, LLVMGetCondition(branch), word, "");
  /* On Vortex a copy of the test before the loop would be a statement, at whose end lanes wait. */
  const LLVMValueRef hidden =
      tool->kind == SL_MARKS_VORTEX ? sl_assembly_single(tool, known) : sl_assembly_opaque(tool, known);
  LLVMSetCondition(branch, LLVMBuildICmp(tool->builder, LLVMIntNE, hidden, LLVMConstNull(word), ""));
}

static void warn(LLVMValueRef branch)
{
  unsigned length = 0;
  size_t name_length;
  const char *file = LLVMGetDebugLocFilename(branch, &length);
  const char *function = LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch)), &name_length);
  if (file != NULL)
    fprintf(stderr, "%.*s:%u: ", (int)length, file, LLVMGetDebugLocLine(branch));
  fprintf(stderr, "warning: in %.*s: lanes may wait for each other in the loop of this test%s\n", (int)name_length,
          function, file != NULL ? "" : "; -g shows the line");
}

/* Sets waits[h] for the headers h of loops that may wait: a branch of theirs tests a word that they read. */
static void find_waits(const struct sl_tool *tool, const struct sl_flow *flow, bool *waits)
{
  for (unsigned i = 0; i < flow->reached; i++) {
    const unsigned b = flow->order[i], header = b < flow->count ? flow->loop[b] : SL_NO_BLOCK;
    const LLVMValueRef branch = header != SL_NO_BLOCK && !waits[header] ? conditional(flow, b) : NULL;
    unsigned left = OPERANDS;
    if (branch != NULL)
      waits[header] = depends(flow, header, LLVMGetCondition(branch), &left);
    if (branch != NULL && waits[header] && tool->warns_of_waits)
      warn(branch);
  }
}

static const char splits_name[] = "vortex_splits";

/* VX_LANES_PART of runtime/vortex.h. */
static void let_lanes_part(const struct sl_tool *tool)
{
  if (LLVMGetNamedGlobal(tool->module, splits_name) != NULL)
    return;
  LLVMValueRef parts = LLVMGetNamedGlobal(tool->module, "vortex_parts");
  if (parts == NULL)
    parts = LLVMAddGlobal(tool->module, LLVMInt32TypeInContext(tool->context), "vortex_parts");
  const LLVMValueRef splits = LLVMAddGlobal(tool->module, LLVMTypeOf(parts), splits_name);
  LLVMSetInitializer(splits, parts);
  LLVMSetGlobalConstant(splits, true);
  LLVMSetLinkage(splits, LLVMWeakAnyLinkage);
}

/* Other lanes of the warp may run before each turn of the loop. */
static void yield_at_back_edges(const struct sl_tool *tool, const struct sl_flow *flow, unsigned header)
{
  for (unsigned e = flow->predecessors.begin[header]; e < flow->predecessors.begin[header + 1]; e++) {
    const unsigned from = flow->predecessors.item[e];
    if (!sl_flow_in_loop(flow, from, header))
      continue;
    LLVMPositionBuilderBefore(tool->builder, LLVMGetBasicBlockTerminator(flow->block[from]));
    sl_assembly_yield(tool);
    let_lanes_part(tool);
  }
}

/* Returns true if it has added yields. */
static bool keep(const struct sl_tool *tool, LLVMValueRef function)
{
  bool yields = false;
  struct sl_flow flow;
  sl_flow_make(&flow, function);
  bool *waits = sl_room(flow.count + 1, sizeof *waits);
  find_waits(tool, &flow, waits);
  for (unsigned i = 0; i < flow.reached; i++) {
    const unsigned b = flow.order[i], header = b < flow.count ? flow.loop[b] : SL_NO_BLOCK;
    const LLVMValueRef branch = header != SL_NO_BLOCK && waits[header] ? conditional(&flow, b) : NULL;
    if (branch != NULL && leaves(&flow, b, header))
      hide_condition(tool, branch);
  }
  for (unsigned h = 0; h < flow.count && tool->kind == SL_MARKS_VORTEX; h++)
    if (waits[h]) {
      yield_at_back_edges(tool, &flow, h);
      yields = true;
    }
  free(waits);
  sl_flow_free(&flow);
  return yields;
}

/* Returns true if a loop of the function reads a word that other lanes may write. */
static bool may_wait(LLVMValueRef function)
{
  struct sl_flow flow;
  bool may = false;
  sl_flow_make(&flow, function);
  for (unsigned b = 0; b < flow.count && !may; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow.block[b]); i != NULL && flow.loop[b] != SL_NO_BLOCK && !may;
         i = LLVMGetNextInstruction(i))
      may = reads_shared(i, CALLS);
  sl_flow_free(&flow);
  return may;
}

/* A barrier of a block in runtime/simt_vortex.h. */
static bool is_block_barrier(LLVMValueRef instruction)
{
  const char *text = sl_assembly_of(instruction);
  return text != NULL && (strstr(text, "vortex_refuse_barrier") != NULL || strstr(text, "0x0B, 4, 0x0,") != NULL);
}

/* The barriers of a program whose lanes may part count threads, not warps. */
static void count_threads(const struct sl_tool *tool)
{
  const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(tool->context), NULL, 0, false);
  LLVMValueRef meet = LLVMGetNamedFunction(tool->module, "vortex_meet");
  if (meet == NULL)
    meet = LLVMAddFunction(tool->module, "vortex_meet", type);
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!is_block_barrier(i))
          continue;
        LLVMPositionBuilderBefore(tool->builder, i);
        LLVMBuildCall2(tool->builder, type, meet, NULL, 0, "");
        LLVMInstructionEraseFromParent(i);
      }
}

static bool any(const struct sl_marked_function *function)
{
  return function->function != NULL;
}

bool sl_waits_keep(const struct sl_tool *tool)
{
  bool yields = false;
  size_t most = 0, count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    most++;
  struct sl_marked_function *found = sl_room(most, sizeof *found);
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && may_wait(f))
      found[count++].function = f;
  /* Local variables must be values for `depends` to follow them. */
  const bool done = count == 0 || sl_run_passes_on(tool, "function(sroa)", found, count, any);
  for (size_t i = 0; i < count && done; i++)
    yields |= keep(tool, found[i].function);
  if (yields)
    count_threads(tool);
  if (tool->lane_barriers)
    let_lanes_part(tool);
  free(found);
  return done;
}
