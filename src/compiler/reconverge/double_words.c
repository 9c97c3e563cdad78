#include "compiler/reconverge/passes.h"

#include <string.h>

#include "compiler/reconverge/flow.h"

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
static LLVMValueRef count_zeros(const struct sl_tool *tool, LLVMValueRef i, bool leading)
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

LLVMValueRef sl_double_words_expand(const struct sl_tool *tool, LLVMValueRef i)
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
    return count_zeros(tool, i, name[2] == 'l');
  if (strcmp(name, "abs.i64") == 0)
    return absolute(tool, LLVMGetOperand(i, 0));
  if (strcmp(name, "fshl.i64") == 0 || strcmp(name, "fshr.i64") == 0)
    return LLVMIsAConstantInt(LLVMGetOperand(i, 2)) != NULL ? NULL : funnel(tool, i, name[3] == 'l');
  return NULL;
}
