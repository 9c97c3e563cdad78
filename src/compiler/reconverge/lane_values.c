#include "compiler/reconverge/lane_values.h"

#include <string.h>

const char *sl_assembly_of(LLVMValueRef instruction)
{
  size_t length;
  if (LLVMIsACallInst(instruction) == NULL || LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) == NULL)
    return NULL;
  return LLVMGetInlineAsmAsmString(LLVMGetCalledValue(instruction), &length);
}

const char *sl_intrinsic_of(LLVMValueRef instruction)
{
  static const char prefix[] = "llvm.";
  if (LLVMIsACallInst(instruction) == NULL)
    return NULL;
  const LLVMValueRef callee = LLVMGetCalledValue(instruction);
  size_t length;
  const char *name = LLVMIsAFunction(callee) != NULL ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : NULL;
}

static bool reads_one_of(const char *text, const char *const *registers)
{
  for (; *registers != NULL; registers++)
    if (strstr(text, *registers) != NULL)
      return true;
  return false;
}

/* CSRs are per warp or per core, except the numbers of thread and lane. Any other assembly with side effects may
 * produce any value. A remark in runtime/simt.h identifies a word that is warp-uniform. */
static enum sl_lanes_get assembly_gets(LLVMValueRef call, const char *text)
{
  static const char *const own[] = {"0xF14", "0xf14", "mhartid", "0xCC0", "0xcc0", NULL};
  if (strstr(text, "# the same for all lanes") != NULL)
    return SL_LANES_GET_SAME;
  if (strncmp(text, "csr", 3) == 0)
    return reads_one_of(text, own) ? SL_LANES_GET_OTHERS : SL_LANES_GET_SAME;
  return LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(call)) ? SL_LANES_GET_OTHERS : SL_LANES_BY_OPERANDS;
}

static enum sl_lanes_get intrinsic_gets(const char *name)
{
  static const char *const own[] = {"threadlocal.address", "frameaddress", "stacksave", "va_", NULL};
  for (unsigned i = 0; own[i] != NULL; i++)
    if (strncmp(name, own[i], strlen(own[i])) == 0)
      return SL_LANES_GET_OTHERS;
  return SL_LANES_BY_OPERANDS;
}

enum sl_lanes_get sl_lanes_get(LLVMValueRef instruction)
{
  const char *text;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg: return SL_LANES_GET_OTHERS;
  case LLVMCall:
    if ((text = sl_assembly_of(instruction)) != NULL)
      return assembly_gets(instruction, text);
    text = sl_intrinsic_of(instruction);
    return text != NULL ? intrinsic_gets(text) : SL_LANES_GET_OTHERS;
  default: return SL_LANES_BY_OPERANDS;
  }
}
