#include "compiler/reconverge/passes.h"

#include <stdio.h>
#include <string.h>

/* ---- operations of 64 bits --------------------------------------------------------------------------------------- */

enum { WORD = 32, DOUBLE = 64 };

struct halves {
  LLVMValueRef low, high;
};

static LLVMTypeRef integer(const struct sl_tool *tool, unsigned bits)
{
  return LLVMIntTypeInContext(tool->context, bits);
}

static LLVMValueRef number(const struct sl_tool *tool, unsigned bits, unsigned value)
{
  return LLVMConstInt(integer(tool, bits), value, false);
}

static unsigned width_of(LLVMValueRef value)
{
  const LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static struct halves split(const struct sl_tool *tool, LLVMValueRef value)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMValueRef upper = LLVMBuildLShr(at, value, number(tool, DOUBLE, WORD), "");
  return (struct halves){LLVMBuildTrunc(at, value, integer(tool, WORD), ""),
                         LLVMBuildTrunc(at, upper, integer(tool, WORD), "")};
}

static LLVMValueRef join(const struct sl_tool *tool, struct halves h)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMValueRef low = LLVMBuildZExt(at, h.low, integer(tool, DOUBLE), "");
  const LLVMValueRef high = LLVMBuildZExt(at, h.high, integer(tool, DOUBLE), "");
  return LLVMBuildOr(at, low, LLVMBuildShl(at, high, number(tool, DOUBLE, WORD), ""), "");
}

/* a < b. The result is a condition. */
static LLVMValueRef less_than(const struct sl_tool *tool, LLVMValueRef a, LLVMValueRef b, bool is_signed)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
  if (width_of(a) != DOUBLE)
    return LLVMBuildICmp(at, less, a, b, "");
  const struct halves x = split(tool, a), y = split(tool, b);
  const LLVMValueRef same = LLVMBuildICmp(at, LLVMIntEQ, x.high, y.high, "");
  const LLVMValueRef low = LLVMBuildAnd(at, same, LLVMBuildICmp(at, LLVMIntULT, x.low, y.low, ""), "");
  return LLVMBuildOr(at, LLVMBuildICmp(at, less, x.high, y.high, ""), low, "");
}

static LLVMValueRef compare(const struct sl_tool *tool, LLVMValueRef i)
{
  const LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  const LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
  const bool is_signed = predicate >= LLVMIntSGT;
  switch (predicate) {
  case LLVMIntULT:
  case LLVMIntSLT: return less_than(tool, a, b, is_signed);
  case LLVMIntUGT:
  case LLVMIntSGT: return less_than(tool, b, a, is_signed);
  case LLVMIntULE:
  case LLVMIntSLE: return LLVMBuildNot(tool->builder, less_than(tool, b, a, is_signed), "");
  case LLVMIntUGE:
  case LLVMIntSGE: return LLVMBuildNot(tool->builder, less_than(tool, a, b, is_signed), "");
  default: return NULL;
  }
}

/* m ? a : b, where all bits of m are equal. */
static LLVMValueRef choose(const struct sl_tool *tool, LLVMValueRef m, LLVMValueRef a, LLVMValueRef b)
{
  const LLVMBuilderRef at = tool->builder;
  return LLVMBuildXor(at, b, LLVMBuildAnd(at, LLVMBuildXor(at, a, b, ""), m, ""), "");
}

/* A shift by the amount's low six bits: by less than a word, then by a word under a mask. The mask passes through
 * assembly, so that LLVM makes no select of it. */
static LLVMValueRef shift(const struct sl_tool *tool, LLVMOpcode opcode, LLVMValueRef value, LLVMValueRef amount)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMValueRef zero = number(tool, WORD, 0), one = number(tool, WORD, 1), most = number(tool, WORD, WORD - 1);
  const LLVMValueRef all = LLVMBuildTrunc(at, amount, integer(tool, WORD), "");
  const LLVMValueRef n = LLVMBuildAnd(at, all, most, ""), rest = LLVMBuildXor(at, n, most, "");
  const LLVMValueRef bit = LLVMBuildAnd(at, LLVMBuildLShr(at, all, number(tool, WORD, 5), ""), one, "");
  const LLVMValueRef m = sl_assembly_opaque(tool, LLVMBuildNeg(at, bit, ""));
  const struct halves h = split(tool, value);
  if (opcode == LLVMShl) {
    const LLVMValueRef low = LLVMBuildShl(at, h.low, n, "");
    const LLVMValueRef carried = LLVMBuildLShr(at, LLVMBuildLShr(at, h.low, one, ""), rest, "");
    const LLVMValueRef high = LLVMBuildOr(at, LLVMBuildShl(at, h.high, n, ""), carried, "");
    return join(tool, (struct halves){choose(tool, m, zero, low), choose(tool, m, low, high)});
  }
  const LLVMValueRef high = LLVMBuildBinOp(at, opcode, h.high, n, "");
  const LLVMValueRef fill = opcode == LLVMAShr ? LLVMBuildAShr(at, h.high, most, "") : zero;
  const LLVMValueRef carried = LLVMBuildShl(at, LLVMBuildShl(at, h.high, one, ""), rest, "");
  const LLVMValueRef low = LLVMBuildOr(at, LLVMBuildLShr(at, h.low, n, ""), carried, "");
  return join(tool, (struct halves){choose(tool, m, high, low), choose(tool, m, fill, high)});
}

/* A funnel shift: both operands are shifted, the second one against the direction. */
static LLVMValueRef funnel(const struct sl_tool *tool, LLVMValueRef i, bool left)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMValueRef amount = LLVMGetOperand(i, 2), one = number(tool, DOUBLE, 1);
  const LLVMValueRef rest = LLVMBuildNot(at, amount, "");
  LLVMValueRef high = LLVMGetOperand(i, 0), low = LLVMGetOperand(i, 1);
  if (left)
    low = LLVMBuildLShr(at, low, one, "");
  else
    high = LLVMBuildShl(at, high, one, "");
  return LLVMBuildOr(at, shift(tool, LLVMShl, high, left ? amount : rest),
                     shift(tool, LLVMLShr, low, left ? rest : amount), "");
}

static LLVMValueRef zeros_of(const struct sl_tool *tool, const char *intrinsic, LLVMValueRef word)
{
  LLVMTypeRef type = integer(tool, WORD);
  const unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
  const LLVMValueRef callee = LLVMGetIntrinsicDeclaration(tool->module, id, &type, 1);
  LLVMValueRef values[] = {word, LLVMConstInt(integer(tool, 1), 1, false)};
  const LLVMValueRef zero = LLVMBuildICmp(tool->builder, LLVMIntEQ, word, number(tool, WORD, 0), "");
  const LLVMValueRef count =
      LLVMBuildCall2(tool->builder, LLVMIntrinsicGetType(tool->context, id, &type, 1), callee, values, 2, "");
  return LLVMBuildSelect(tool->builder, zero, number(tool, WORD, WORD), count, "");
}

/* The zeros of one half, or of both if all its bits are zero. */
static LLVMValueRef count_double_zeros(const struct sl_tool *tool, LLVMValueRef i, bool leading)
{
  const LLVMBuilderRef at = tool->builder;
  const char *name = leading ? "llvm.ctlz" : "llvm.cttz";
  const struct halves h = split(tool, LLVMGetOperand(i, 0));
  const LLVMValueRef first = leading ? h.high : h.low, second = leading ? h.low : h.high;
  const LLVMValueRef zero = LLVMBuildICmp(at, LLVMIntEQ, first, number(tool, WORD, 0), "");
  const LLVMValueRef more = LLVMBuildAdd(at, zeros_of(tool, name, second), number(tool, WORD, WORD), "");
  const LLVMValueRef count = LLVMBuildSelect(at, zero, more, zeros_of(tool, name, first), "");
  return LLVMBuildZExt(at, count, integer(tool, DOUBLE), "");
}

static LLVMValueRef saturate(const struct sl_tool *tool, LLVMValueRef i, bool is_signed, bool adds)
{
  const LLVMBuilderRef at = tool->builder;
  const LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  const LLVMTypeRef type = LLVMTypeOf(a);
  const LLVMValueRef sum = adds ? LLVMBuildAdd(at, a, b, "") : LLVMBuildSub(at, a, b, "");
  if (!is_signed)
    return LLVMBuildSelect(at, adds ? less_than(tool, sum, a, false) : less_than(tool, a, b, false),
                           adds ? LLVMConstAllOnes(type) : LLVMConstNull(type), sum, "");
  const unsigned width = LLVMGetIntTypeWidth(type);
  const LLVMValueRef changed = LLVMBuildXor(at, a, sum, "");
  const LLVMValueRef other = LLVMBuildXor(at, b, adds ? sum : a, "");
  const LLVMValueRef over = less_than(tool, LLVMBuildAnd(at, changed, other, ""), LLVMConstNull(type), true);
  const LLVMValueRef sign = LLVMBuildAShr(at, a, LLVMConstInt(type, width - 1, false), "");
  const LLVMValueRef most = LLVMConstInt(type, UINT64_MAX >> (DOUBLE + 1 - width), false);
  return LLVMBuildSelect(at, over, LLVMBuildXor(at, sign, most, ""), sum, "");
}

/* All bits are the sign. It passes through assembly, so that code generation finds no absolute value in a sum with it.
 */
static LLVMValueRef sign_of(const struct sl_tool *tool, LLVMValueRef value)
{
  const LLVMValueRef ones = LLVMBuildAShr(tool->builder, split(tool, value).high, number(tool, WORD, WORD - 1), "");
  return LLVMBuildSExt(tool->builder, sl_assembly_opaque(tool, ones), integer(tool, DOUBLE), "");
}

static LLVMValueRef absolute(const struct sl_tool *tool, LLVMValueRef value)
{
  const LLVMValueRef sign = sign_of(tool, value);
  return LLVMBuildSub(tool->builder, LLVMBuildXor(tool->builder, value, sign, ""), sign, "");
}

/* Returns the value of the instruction by other instructions, built before it, or NULL if it needs no expansion. */
static LLVMValueRef expand(const struct sl_tool *tool, LLVMValueRef i)
{
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  const char *name = sl_intrinsic_of(i);
  LLVMPositionBuilderBefore(tool->builder, i);
  if (opcode == LLVMICmp)
    return width_of(LLVMGetOperand(i, 0)) == DOUBLE ? compare(tool, i) : NULL;
  if (name != NULL && strstr(name, "add.sat.i") == name + 1)
    return saturate(tool, i, name[0] == 's', true);
  if (name != NULL && strstr(name, "sub.sat.i") == name + 1)
    return saturate(tool, i, name[0] == 's', false);
  if (width_of(i) != DOUBLE)
    return NULL;
  if (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr) {
    const LLVMValueRef amount = LLVMGetOperand(i, 1);
    if (LLVMIsAConstantInt(amount) == NULL)
      return shift(tool, opcode, LLVMGetOperand(i, 0), amount);
    const bool fills = opcode == LLVMAShr && LLVMConstIntGetZExtValue(amount) == DOUBLE - 1;
    return fills ? sign_of(tool, LLVMGetOperand(i, 0)) : NULL;
  }
  if (name == NULL)
    return NULL;
  if (strcmp(name, "ctlz.i64") == 0 || strcmp(name, "cttz.i64") == 0)
    return count_double_zeros(tool, i, name[2] == 'l');
  if (strcmp(name, "abs.i64") == 0)
    return absolute(tool, LLVMGetOperand(i, 0));
  if (strcmp(name, "fshl.i64") == 0 || strcmp(name, "fshr.i64") == 0)
    return LLVMIsAConstantInt(LLVMGetOperand(i, 2)) != NULL ? NULL : funnel(tool, i, name[3] == 'l');
  return NULL;
}

/* ---- selects ----------------------------------------------------------------------------------------------------- */

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
      LLVMValueRef value = tool->all_selects ? expand(tool, i) : NULL;
      LLVMPositionBuilderBefore(tool->builder, i);
      if (value == NULL && name != NULL)
        value = spelt_out(tool, i, name);
      if (value != NULL) {
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
      }
    }
}
