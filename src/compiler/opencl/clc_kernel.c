#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "compiler/cc/lanes/lane_code.h"
#include "compiler/opencl/clc.h"
#include "compiler/reconverge/passes.h"

enum { GLOBAL = 1, LOCAL = 3, PRIVATE = 0, ITEM_BYTES = 64, ITEM_LOCAL = 8, LOCAL_ALIGNMENT = 16 };

static LLVMTypeRef word(const struct sl_tool *tool)
{
  return LLVMInt32TypeInContext(tool->context);
}

static LLVMValueRef number(const struct sl_tool *tool, unsigned value)
{
  return LLVMConstInt(word(tool), value, false);
}

static LLVMValueRef offset_from(const struct sl_tool *tool, LLVMValueRef pointer, LLVMValueRef bytes)
{
  return LLVMBuildGEP2(tool->builder, LLVMInt8TypeInContext(tool->context), pointer, &bytes, 1, "");
}

/* ---- local memory ------------------------------------------------------------------------------------------------ */

/* The address in the group's local memory at an offset. */
static LLVMValueRef local_address(const struct sl_tool *tool, LLVMValueRef offset)
{
  const LLVMValueRef item = LLVMGetNamedFunction(tool->module, "simtlab_item");
  const LLVMValueRef at = LLVMBuildCall2(tool->builder, LLVMGlobalGetValueType(item), item, NULL, 0, "");
  const LLVMValueRef base =
      LLVMBuildLoad2(tool->builder, word(tool), offset_from(tool, at, number(tool, ITEM_LOCAL)), "");
  return LLVMBuildIntToPtr(tool->builder, LLVMBuildAdd(tool->builder, base, offset, ""),
                           LLVMPointerTypeInContext(tool->context, LOCAL), "");
}

static bool is_local(LLVMValueRef value)
{
  return LLVMIsAGlobalVariable(value) != NULL && LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == LOCAL;
}

static bool uses_local(LLVMValueRef value)
{
  if (LLVMIsAConstant(value) == NULL || LLVMIsAFunction(value) != NULL)
    return false;
  if (LLVMIsAGlobalVariable(value) != NULL)
    return is_local(value);
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (uses_local(LLVMGetOperand(value, (unsigned)i)))
      return true;
  return false;
}

/* The offset of a __local variable is kept as its alignment's neighbour: a list, since there are few. */
struct places {
  struct {
    LLVMValueRef variable;
    unsigned offset;
  } * item;
  size_t count;
};

static unsigned place_of(const struct places *p, LLVMValueRef variable)
{
  size_t i = 0;
  while (p->item[i].variable != variable)
    i++;
  return p->item[i].offset;
}

/* Builds a constant expression as instructions; NULL: an expression of another kind. */
static LLVMValueRef spell(const struct sl_tool *tool, const struct places *p, LLVMValueRef value)
{
  enum { OPERANDS = 16 };
  LLVMValueRef operand[OPERANDS];
  if (!uses_local(value))
    return value;
  if (is_local(value))
    return local_address(tool, number(tool, place_of(p, value)));
  const unsigned count = (unsigned)LLVMGetNumOperands(value);
  if (LLVMIsAConstantExpr(value) == NULL || count > OPERANDS)
    return NULL;
  for (unsigned i = 0; i < count; i++)
    if ((operand[i] = spell(tool, p, LLVMGetOperand(value, i))) == NULL)
      return NULL;
  switch (LLVMGetConstOpcode(value)) {
  case LLVMGetElementPtr:
    return LLVMBuildGEP2(tool->builder, LLVMGetGEPSourceElementType(value), operand[0], operand + 1, count - 1, "");
  case LLVMAddrSpaceCast: return LLVMBuildAddrSpaceCast(tool->builder, operand[0], LLVMTypeOf(value), "");
  case LLVMPtrToInt: return LLVMBuildPtrToInt(tool->builder, operand[0], LLVMTypeOf(value), "");
  case LLVMIntToPtr: return LLVMBuildIntToPtr(tool->builder, operand[0], LLVMTypeOf(value), "");
  case LLVMAdd: return LLVMBuildAdd(tool->builder, operand[0], operand[1], "");
  case LLVMSub: return LLVMBuildSub(tool->builder, operand[0], operand[1], "");
  default: return NULL;
  }
}

static bool spell_operands(const struct sl_tool *tool, const struct places *p, LLVMValueRef instruction)
{
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
    const LLVMValueRef operand = LLVMGetOperand(instruction, i);
    if (operand == NULL || LLVMIsAConstant(operand) == NULL || !uses_local(operand))
      continue;
    if (LLVMIsAPHINode(instruction) != NULL)
      LLVMPositionBuilderBefore(tool->builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, i)));
    else
      LLVMPositionBuilderBefore(tool->builder, instruction);
    const LLVMValueRef value = spell(tool, p, operand);
    if (value == NULL)
      return false;
    LLVMSetOperand(instruction, i, value);
  }
  return true;
}

/* Functions that a function may call, itself included. */
static void follow(LLVMValueRef function, LLVMValueRef *list, size_t *count)
{
  for (size_t i = 0; i < *count; i++)
    if (list[i] == function)
      return;
  list[(*count)++] = function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) != NULL && LLVMIsAFunction(LLVMGetCalledValue(i)) != NULL)
        follow(LLVMGetCalledValue(i), list, count);
}

static void find_used(LLVMValueRef value, bool *used, const struct places *p)
{
  if (is_local(value)) {
    for (size_t i = 0; i < p->count; i++)
      used[i] |= p->item[i].variable == value;
    return;
  }
  for (int i = 0; LLVMIsAConstantExpr(value) != NULL && i < LLVMGetNumOperands(value); i++)
    find_used(LLVMGetOperand(value, (unsigned)i), used, p);
}

static void find_used_by(LLVMValueRef function, bool *used, const struct places *p)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
      for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (LLVMGetOperand(i, (unsigned)k) != NULL)
          find_used(LLVMGetOperand(i, (unsigned)k), used, p);
}

/* Gives the __local variables that the kernel's functions use an offset each. */
static bool place_locals(const struct sl_tool *tool, LLVMValueRef kernel, unsigned *bytes)
{
  struct places p = {0};
  size_t functions = 0, variables = 0, count = 0;
  bool right = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    functions++;
  for (LLVMValueRef g = LLVMGetFirstGlobal(tool->module); g != NULL; g = LLVMGetNextGlobal(g))
    variables++;
  LLVMValueRef *list = sl_room(functions, sizeof(LLVMValueRef));
  bool *used = sl_room(variables, sizeof *used);
  p.item = sl_room(variables, sizeof *p.item);
  for (LLVMValueRef g = LLVMGetFirstGlobal(tool->module); g != NULL; g = LLVMGetNextGlobal(g))
    if (is_local(g))
      p.item[p.count++].variable = g;
  follow(kernel, list, &count);
  for (size_t i = 0; i < count; i++)
    find_used_by(list[i], used, &p);
  for (size_t i = 0; i < p.count; i++)
    if (used[i]) {
      const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(tool->module);
      const unsigned wanted = LLVMGetAlignment(p.item[i].variable);
      const unsigned alignment = wanted > LOCAL_ALIGNMENT ? wanted : LOCAL_ALIGNMENT;
      *bytes = (*bytes + alignment - 1) / alignment * alignment;
      p.item[i].offset = *bytes;
      *bytes += (unsigned)LLVMABISizeOfType(layout, LLVMGlobalGetValueType(p.item[i].variable));
    }
  for (size_t f = 0; f < count && right; f++)
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(list[f]); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL && right; i = LLVMGetNextInstruction(i))
        right = spell_operands(tool, &p, i);
  if (!right)
    fprintf(stderr, "error: a constant holds the address of a __local variable; compute it in the kernel\n");
  free(p.item);
  free(used);
  free(list);
  return right;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static LLVMAttributeRef attribute_of(LLVMValueRef function, unsigned parameter, const char *name)
{
  return LLVMGetEnumAttributeAtIndex(function, parameter + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

bool clc_call_kernel(const struct sl_tool *tool, const struct clc_target *target, LLVMValueRef kernel,
                     struct clc_layout *l)
{
  const LLVMValueRef body = LLVMGetNamedFunction(tool->module, "simtlab_body");
  const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(tool->module);
  l->count = LLVMCountParams(kernel);
  l->parameter = sl_room(l->count, sizeof *l->parameter);
  LLVMValueRef *values = sl_room(l->count, sizeof(LLVMValueRef));
  unsigned at = 0;
  LLVMPositionBuilderAtEnd(tool->builder, LLVMAppendBasicBlockInContext(tool->context, body, ""));
  for (unsigned i = 0; i < l->count; i++) {
    const LLVMAttributeRef byval = attribute_of(kernel, i, "byval");
    const LLVMTypeRef own = LLVMTypeOf(LLVMGetParam(kernel, i));
    const LLVMTypeRef type = byval != NULL ? LLVMGetTypeAttributeValue(byval) : own;
    const unsigned alignment = LLVMABIAlignmentOfType(layout, type);
    /* The launch is aligned, the place behind its geometry is not. */
    at = (target->geometry_bytes + at + alignment - 1) / alignment * alignment - target->geometry_bytes;
    const LLVMValueRef place = offset_from(tool, LLVMGetParam(body, 0), number(tool, target->geometry_bytes + at));
    l->parameter[i].offset = at;
    l->parameter[i].bytes = (unsigned)LLVMABISizeOfType(layout, type);
    at += l->parameter[i].bytes;
    if (byval != NULL)
      values[i] = LLVMBuildAddrSpaceCast(tool->builder, place, own, "");
    else if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == LOCAL)
      values[i] = local_address(tool, LLVMBuildLoad2(tool->builder, word(tool), place, ""));
    else
      values[i] = LLVMBuildLoad2(tool->builder, type, place, "");
  }
  l->parameter_bytes = at;
  const LLVMValueRef call = LLVMBuildCall2(tool->builder, LLVMGlobalGetValueType(kernel), kernel, values, l->count, "");
  for (unsigned i = 0; i < l->count; i++)
    if (attribute_of(kernel, i, "byval") != NULL)
      LLVMAddCallSiteAttribute(call, i + 1, attribute_of(kernel, i, "byval"));
  LLVMBuildRetVoid(tool->builder);
  free(values);
  return place_locals(tool, kernel, &l->local_bytes);
}

void clc_make_item(const struct sl_tool *tool, LLVMValueRef function)
{
  const LLVMValueRef item = LLVMGetNamedFunction(tool->module, "simtlab_item");
  LLVMPositionBuilderBefore(tool->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  const LLVMValueRef variable =
      LLVMBuildAlloca(tool->builder, LLVMArrayType2(LLVMInt32TypeInContext(tool->context), ITEM_BYTES / 4), "");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i) == NULL || LLVMGetCalledValue(i) != item)
        continue;
      LLVMReplaceAllUsesWith(i, variable);
      LLVMInstructionEraseFromParent(i);
    }
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

/* Annotations in a text of assembly. */
static unsigned annotations_of(const char *text)
{
  static const char *const annotation[] = {".word 0x00050009", ".word 0x00051009", ".insn r 0x0B, 2,",
                                           ".insn r 0x0B, 3,", ".insn r 0x0B, 5,"};
  unsigned count = 0;
  for (size_t i = 0; i < sizeof annotation / sizeof *annotation; i++)
    for (const char *at = text; at != NULL && (at = strstr(at, annotation[i])) != NULL; at++)
      count++;
  return count;
}

static bool is_branch(LLVMValueRef instruction)
{
  return LLVMIsATerminatorInst(instruction) != NULL && LLVMGetNumSuccessors(instruction) > 1;
}

/* Uniform selects become branches, too. */
static void count(LLVMValueRef function, struct clc_layout *l)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      l->annotations += annotations_of(sl_assembly_of(i));
      l->branches += is_branch(i);
      l->made += LLVMIsASelectInst(i) != NULL;
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Gives an instruction a column. One of the launch has no line of the kernel; without line 0 it would have that of the
 * one before. But a column needs a line: a branch of the launch has the kernel's first one. */
static void place(const struct sl_tool *tool, LLVMMetadataRef lines, LLVMValueRef instruction, unsigned column)
{
  const LLVMMetadataRef old = LLVMInstructionGetDebugLoc(instruction);
  unsigned line = old != NULL ? LLVMDILocationGetLine(old) : 0;
  const bool own = line == 0 && column >= SL_BRANCH_FIRST;
  if (own)
    line = LLVMDISubprogramGetLine(lines);
  const LLVMMetadataRef scope = old != NULL && !own ? LLVMDILocationGetScope(old) : lines;
  const LLVMMetadataRef call = old != NULL && !own ? LLVMDILocationGetInlinedAt(old) : NULL;
  LLVMInstructionSetDebugLoc(instruction, LLVMDIBuilderCreateDebugLocation(tool->context, line, column, scope, call));
}

/* The kind of an instruction that has a number; 0: it has none. Words are selected by instructions or arithmetic. */
static char kind_of(LLVMValueRef i, const struct sl_divergence *divergence, bool annotated)
{
  if (is_branch(i))
    return annotated || sl_differs(divergence, LLVMGetOperand(i, 0)) ? SL_BRANCH_ANNOTATED : SL_BRANCH_UNIFORM;
  const bool is_float = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind;
  return LLVMIsASelectInst(i) != NULL && is_float && !sl_differs(divergence, LLVMGetOperand(i, 0)) ? SL_BRANCH_SELECT
                                                                                                   : '\0';
}

/* Whether the block's branch leaves its loop. */
static bool leaves_loop(const struct sl_flow *flow, unsigned b)
{
  bool leaves = false;
  for (unsigned e = flow->successors.begin[b]; e < flow->successors.begin[b + 1] && flow->loop[b] != SL_NO_BLOCK; e++)
    leaves |= !sl_flow_in_loop(flow, flow->successors.item[e], flow->loop[b]);
  return leaves;
}

/* Code generation makes a branch for each of the comparisons of a condition, unless it cannot predict the branch. Lanes
 * that stay in a loop by different branches would be apart until they leave it. Those of a statement meet at its end.
 */
static void keep_whole(const struct sl_tool *tool, LLVMValueRef branch)
{
  static const char unpredictable[] = "unpredictable";
  const unsigned noted = LLVMGetMDKindIDInContext(tool->context, unpredictable, sizeof unpredictable - 1);
  const LLVMMetadataRef nothing = LLVMMDNodeInContext2(tool->context, NULL, 0);
  LLVMSetMetadata(branch, noted, LLVMMetadataAsValue(tool->context, nothing));
}

void clc_number_branches(const struct sl_tool *tool, LLVMValueRef function, bool marks, struct clc_layout *l)
{
  static const char differs[] = "simt.differs";
  const unsigned noted = LLVMGetMDKindIDInContext(tool->context, differs, sizeof differs - 1);
  const LLVMMetadataRef lines = LLVMGetSubprogram(function);
  struct sl_flow flow;
  struct sl_divergence divergence;
  count(function, l);
  l->kinds = sl_room(l->branches + l->made + 1, 1);
  sl_flow_make(&flow, function);
  sl_divergence_find(&divergence, &flow, function, true);
  unsigned next = 0;
  for (unsigned b = 0; b < flow.count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow.block[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
      const char kind = marks ? kind_of(i, &divergence, LLVMGetMetadata(i, noted) != NULL) : '\0';
      if (kind == SL_BRANCH_ANNOTATED && leaves_loop(&flow, b))
        keep_whole(tool, i);
      const bool numbered = lines != NULL && kind != '\0' && next <= SL_BRANCH_LAST - SL_BRANCH_FIRST;
      if (numbered)
        l->kinds[next] = kind;
      if (lines != NULL)
        place(tool, lines, i, numbered ? SL_BRANCH_FIRST + next : is_branch(i) ? SL_BRANCH_LOST : SL_BRANCH_MADE);
      next += numbered;
    }
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
}
