#include "compiler/reconverge/passes.h"

#include <stdio.h>
#include <string.h>

#include "compiler/reconverge/flow.h"

static LLVMTypeRef word_type(const struct sl_tool *tool)
{
  return LLVMInt32TypeInContext(tool->context);
}

/* Returns the integer type that holds a value of the type; NULL if its selects need no replacement. */
static LLVMTypeRef bits_of(const struct sl_tool *tool, LLVMTypeRef type)
{
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return type;
  case LLVMPointerTypeKind:
  case LLVMFloatTypeKind: return word_type(tool);
  case LLVMDoubleTypeKind: return LLVMInt64TypeInContext(tool->context);
  default: return NULL;
  }
}

static LLVMValueRef cast(const struct sl_tool *tool, LLVMValueRef value, LLVMTypeRef to)
{
  const LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(value)), kind = LLVMGetTypeKind(to);
  if (from == LLVMPointerTypeKind && kind == LLVMIntegerTypeKind)
    return LLVMBuildPtrToInt(tool->builder, value, to, "");
  if (from == LLVMIntegerTypeKind && kind == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(tool->builder, value, to, "");
  return LLVMBuildBitCast(tool->builder, value, to, "");
}

/* b ^ ((a ^ b) & m), where m is all ones if the condition holds. m passes through an empty assembly statement, so that
 * LLVM does not convert the expression back to a select. */
static LLVMValueRef by_mask(const struct sl_tool *tool, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMTypeRef type = LLVMTypeOf(a), word = word_type(tool);
  const LLVMValueRef ones = LLVMBuildSExt(at, condition, word, "");
  const LLVMValueRef mask = sl_assembly_opaque(tool, ones);
  const unsigned width = LLVMGetIntTypeWidth(type);
  const LLVMValueRef fitting = width > 32   ? LLVMBuildSExt(at, mask, type, "")
                               : width < 32 ? LLVMBuildTrunc(at, mask, type, "")
                                            : mask;
  const LLVMValueRef changes = LLVMBuildAnd(at, LLVMBuildXor(at, a, b, ""), fitting, "");
  return LLVMBuildXor(at, b, changes, "");
}

static void replace(const struct sl_tool *tool, LLVMValueRef select)
{
  const LLVMTypeRef type = LLVMTypeOf(select), bits = bits_of(tool, type);
  const LLVMValueRef condition = LLVMGetOperand(select, 0);
  if (bits == NULL || LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
    return;
  if (tool->kind == SL_MARKS_VORTEX && bits == type)
    return;
  LLVMPositionBuilderBefore(tool->builder, select);
  const LLVMValueRef a = cast(tool, LLVMGetOperand(select, 1), bits), b = cast(tool, LLVMGetOperand(select, 2), bits);
  const LLVMValueRef word = tool->kind == SL_MARKS_VORTEX ? LLVMBuildSelect(tool->builder, condition, a, b, "")
                                                          : by_mask(tool, condition, a, b);
  LLVMReplaceAllUsesWith(select, cast(tool, word, type));
  LLVMInstructionEraseFromParent(select);
}

/* Returns the condition that an instruction converts to a float, or NULL. The float is `one` if the condition holds,
 * else 0. */
static LLVMValueRef converted_condition(LLVMValueRef instruction, double *one)
{
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode != LLVMSIToFP && opcode != LLVMUIToFP)
    return NULL;
  LLVMValueRef from = LLVMGetOperand(instruction, 0);
  bool negative = opcode == LLVMSIToFP;
  if (LLVMIsAZExtInst(from) != NULL || (LLVMIsASExtInst(from) != NULL && negative)) {
    negative = LLVMIsASExtInst(from) != NULL;
    from = LLVMGetOperand(from, 0);
  }
  const LLVMTypeRef type = LLVMTypeOf(from);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1)
    return NULL;
  *one = negative ? -1 : 1;
  return from;
}

/* Makes the conversion a select, as code generation would. */
static void select_number(const struct sl_tool *tool, LLVMValueRef conversion, LLVMValueRef condition, double one)
{
  const LLVMTypeRef type = LLVMTypeOf(conversion);
  LLVMPositionBuilderBefore(tool->builder, conversion);
  const LLVMValueRef select =
      LLVMBuildSelect(tool->builder, condition, LLVMConstReal(type, one), LLVMConstReal(type, 0), "");
  LLVMReplaceAllUsesWith(conversion, select);
  LLVMInstructionEraseFromParent(conversion);
  if (LLVMIsASelectInst(select) != NULL)
    replace(tool, select);
}

static bool is_to_be_replaced(const struct sl_tool *tool, const struct sl_divergence *divergence,
                              LLVMValueRef instruction)
{
  double one;
  const LLVMValueRef condition =
      LLVMIsASelectInst(instruction) != NULL ? LLVMGetOperand(instruction, 0) : converted_condition(instruction, &one);
  return condition != NULL && (tool->all_selects || sl_differs(divergence, condition));
}

static void replace_one(const struct sl_tool *tool, LLVMValueRef instruction)
{
  double one;
  if (LLVMIsASelectInst(instruction) != NULL) {
    replace(tool, instruction);
    return;
  }
  const LLVMValueRef condition = converted_condition(instruction, &one);
  if (condition != NULL)
    select_number(tool, instruction, condition, one);
}

/* The analysis knows no value that a replacement makes, which may be the next one's condition: all are found first. */
void sl_selects_replace(const struct sl_tool *tool, const struct sl_divergence *divergence, LLVMValueRef function)
{
  size_t count = 0, room = 64;
  LLVMValueRef *found = sl_room(room, sizeof(LLVMValueRef));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      if (!is_to_be_replaced(tool, divergence, i))
        continue;
      if (count == room) {
        LLVMValueRef *grown = sl_room(2 * room, sizeof(LLVMValueRef));
        memcpy(grown, found, room * sizeof(LLVMValueRef));
        free(found);
        found = grown;
        room *= 2;
      }
      found[count++] = i;
    }
  for (size_t i = 0; i < count; i++)
    replace_one(tool, found[i]);
  free(found);
}

static LLVMValueRef call_intrinsic(const struct sl_tool *tool, const char *name, LLVMTypeRef type, LLVMValueRef *values,
                                   unsigned count)
{
  const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  const LLVMValueRef callee = LLVMGetIntrinsicDeclaration(tool->module, id, &type, 1);
  const LLVMTypeRef signature = LLVMIntrinsicGetType(tool->context, id, &type, 1);
  return LLVMBuildCall2(tool->builder, signature, callee, values, count, "");
}

/* Converts floats below 2^23, which may have a fraction, to an integer and back; all others are unchanged. */
static LLVMValueRef round_by_conversion(const struct sl_tool *tool, LLVMValueRef x, const char *mode)
{
  enum { FRACTION_BITS = 23 };
  const LLVMBuilderRef at = tool->builder;
  const LLVMTypeRef type = LLVMTypeOf(x);
  const LLVMValueRef whole = LLVMBuildSIToFP(at, sl_assembly_round(tool, x, mode), type, "");
  const LLVMValueRef signed_whole = call_intrinsic(tool, "llvm.copysign", type, (LLVMValueRef[]){whole, x}, 2);
  const LLVMValueRef size = call_intrinsic(tool, "llvm.fabs", type, &x, 1);
  const LLVMValueRef limit = LLVMConstReal(type, (double)(1 << FRACTION_BITS));
  const LLVMValueRef small = LLVMBuildFCmp(at, LLVMRealOLT, size, limit, "");
  return LLVMBuildSelect(at, small, signed_whole, x, "");
}

/* Expands a count of leading or trailing zeros whose operand may be 0, for which code generation would create a branch.
 * Returns NULL if the operand is known to be nonzero. */
static LLVMValueRef count_zeros(const struct sl_tool *tool, LLVMValueRef call, const char *name)
{
  char intrinsic[16];
  const LLVMBuilderRef at = tool->builder;
  const LLVMValueRef a = LLVMGetOperand(call, 0), is_not_zero = LLVMGetOperand(call, 1);
  const LLVMTypeRef type = LLVMTypeOf(a);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMConstIntGetZExtValue(is_not_zero) != 0)
    return NULL;
  snprintf(intrinsic, sizeof intrinsic, "llvm.%.4s", name);
  const LLVMValueRef yes = LLVMConstInt(LLVMTypeOf(is_not_zero), 1, false);
  const LLVMValueRef count = call_intrinsic(tool, intrinsic, type, (LLVMValueRef[]){a, yes}, 2);
  const LLVMValueRef zero = LLVMBuildICmp(at, LLVMIntEQ, a, LLVMConstNull(type), "");
  return LLVMBuildSelect(at, zero, LLVMConstInt(type, LLVMGetIntTypeWidth(type), false), count, "");
}

static LLVMValueRef spelt_out(const struct sl_tool *tool, LLVMValueRef call, const char *name)
{
  static const struct {
    const char *name, *mode;
  } rounding[] = {{"floor.f32", "rdn"}, {"ceil.f32", "rup"},      {"trunc.f32", "rtz"},    {"round.f32", "rmm"},
                  {"rint.f32", "dyn"},  {"nearbyint.f32", "dyn"}, {"roundeven.f32", "rne"}};
  static const struct {
    const char *name;
    LLVMIntPredicate first;
  } order[] = {{"smin.", LLVMIntSLT}, {"smax.", LLVMIntSGT}, {"umin.", LLVMIntULT}, {"umax.", LLVMIntUGT}};
  if (strncmp(name, "ctlz.", 5) == 0 || strncmp(name, "cttz.", 5) == 0)
    return count_zeros(tool, call, name);
  const LLVMValueRef a = LLVMGetOperand(call, 0);
  for (unsigned i = 0; i < sizeof rounding / sizeof *rounding && tool->kind == SL_MARKS_VORTEX; i++)
    if (strcmp(name, rounding[i].name) == 0)
      return round_by_conversion(tool, a, rounding[i].mode);
  for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
    if (strncmp(name, order[i].name, strlen(order[i].name)) == 0 && bits_of(tool, LLVMTypeOf(a)) != NULL) {
      const LLVMValueRef b = LLVMGetOperand(call, 1);
      return LLVMBuildSelect(tool->builder, LLVMBuildICmp(tool->builder, order[i].first, a, b, ""), a, b, "");
    }
  return NULL;
}

void sl_selects_spell_out(const struct sl_tool *tool, LLVMValueRef function)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
      next = LLVMGetNextInstruction(i);
      const char *name = sl_intrinsic_of(i);
      LLVMValueRef value = tool->all_selects ? sl_double_words_expand(tool, i) : NULL;
      LLVMPositionBuilderBefore(tool->builder, i);
      if (value == NULL && name != NULL)
        value = spelt_out(tool, i, name);
      if (value != NULL) {
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
      }
    }
}
