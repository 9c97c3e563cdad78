#include <string.h>

#include "compiler/opencl/clc.h"
#include "compiler/reconverge/flow.h"

static LLVMTypeRef word(const struct sl_tool *tool)
{
  return LLVMInt32TypeInContext(tool->context);
}

/* Calls a function of the device library; pointers become private ones. */
static LLVMValueRef call(const struct sl_tool *tool, const char *name, LLVMValueRef *values, unsigned count)
{
  const LLVMValueRef function = LLVMGetNamedFunction(tool->module, name);
  for (unsigned i = 0; i < count; i++) {
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
    if (LLVMTypeOf(values[i]) == type)
      continue;
    values[i] = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                    ? LLVMBuildAddrSpaceCast(tool->builder, values[i], type, "")
                    : LLVMBuildIntCast2(tool->builder, values[i], type, false, "");
  }
  return LLVMBuildCall2(tool->builder, LLVMGlobalGetValueType(function), function, values, count, "");
}

/* A compare-and-exchange of a word: its result is {old, whether it was as expected}. */
static LLVMValueRef exchange(const struct sl_tool *tool, LLVMValueRef instruction)
{
  LLVMValueRef values[] = {LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1),
                           LLVMGetOperand(instruction, 2)};
  const LLVMValueRef expected = values[1];
  if (LLVMTypeOf(expected) != word(tool))
    return NULL;
  const LLVMValueRef old = call(tool, "simtlab_exchange", values, 3);
  const LLVMValueRef same = LLVMBuildICmp(tool->builder, LLVMIntEQ, old, expected, "");
  const LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(instruction));
  return LLVMBuildInsertValue(tool->builder, LLVMBuildInsertValue(tool->builder, none, old, 0, ""), same, 1, "");
}

static bool starts(const char *name, const char *with)
{
  return strncmp(name, with, strlen(with)) == 0;
}

/* The function of the device library for an intrinsic; NULL: it stays. */
static const char *function_for(const char *name, LLVMValueRef i, bool fused, unsigned *operands)
{
  static const char *const natives[] = {"sin", "cos", "exp2", "exp", "log10", "log2", "log"};
  static char text[32];
  enum { FEW = 32 };
  *operands = 3;
  if (starts(name, "memset.") || starts(name, "memcpy.") || starts(name, "memmove.")) {
    const LLVMValueRef size = LLVMGetOperand(i, 2);
    if (LLVMIsAConstantInt(size) != NULL && LLVMConstIntGetZExtValue(size) <= FEW)
      return NULL;
    return starts(name, "memset.") ? "simtlab_fill" : starts(name, "memcpy.") ? "simtlab_copy" : "simtlab_move";
  }
  if (!fused && strcmp(name, "fma.f32") == 0)
    return "simtlab_fma";
  *operands = 1;
  for (size_t k = 0; k < sizeof natives / sizeof *natives; k++) {
    snprintf(text, sizeof text, "%s.f32", natives[k]);
    if (strcmp(name, text) == 0) {
      snprintf(text, sizeof text, "simtlab_%s", natives[k]);
      return text;
    }
  }
  return NULL;
}

static LLVMValueRef replacement(const struct sl_tool *tool, LLVMValueRef i)
{
  LLVMValueRef values[3];
  unsigned count;
  LLVMPositionBuilderBefore(tool->builder, i);
  if (LLVMIsAAtomicCmpXchgInst(i) != NULL)
    return exchange(tool, i);
  const char *name = sl_intrinsic_of(i);
  if (name != NULL && tool->kind != SL_MARKS_VORTEX && strcmp(name, "fmuladd.f32") == 0)
    return LLVMBuildFAdd(tool->builder, LLVMBuildFMul(tool->builder, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), ""),
                         LLVMGetOperand(i, 2), "");
  const char *function = name != NULL ? function_for(name, i, tool->kind == SL_MARKS_VORTEX, &count) : NULL;
  if (function == NULL)
    return NULL;
  for (unsigned k = 0; k < count; k++)
    values[k] = LLVMGetOperand(i, k);
  return call(tool, function, values, count);
}

bool clc_legalise(const struct sl_tool *tool, const struct clc_target *target)
{
  bool changed = false;
  (void)target;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        const LLVMValueRef value = replacement(tool, i);
        if (value == NULL)
          continue;
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
          LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
        changed = true;
      }
  return changed;
}
