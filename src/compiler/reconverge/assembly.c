#include "compiler/reconverge/assembly.h"

#include <stdio.h>
#include <string.h>

static void add_attribute(const struct sl_tool *tool, LLVMValueRef call, const char *name)
{
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(tool->context, kind, 0));
}

static LLVMValueRef build(const struct sl_tool *tool, const char *text, const char *constraints, LLVMTypeRef result,
                          LLVMValueRef *operands, unsigned count, bool stays)
{
  LLVMTypeRef types[2];
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(operands[i]);
  const LLVMTypeRef signature = LLVMFunctionType(result, types, count, false);
  const LLVMValueRef code = LLVMGetInlineAsm(signature, text, strlen(text), constraints, strlen(constraints), stays,
                                             false, LLVMInlineAsmDialectATT, false);
  const LLVMValueRef call = LLVMBuildCall2(tool->builder, signature, code, operands, count, "");
  add_attribute(tool, call, "nounwind");
  if (stays) {
    add_attribute(tool, call, "convergent");
    add_attribute(tool, call, "noduplicate");
  }
  return call;
}

static LLVMTypeRef word(const struct sl_tool *tool)
{
  return LLVMInt32TypeInContext(tool->context);
}

static LLVMTypeRef nothing(const struct sl_tool *tool)
{
  return LLVMVoidTypeInContext(tool->context);
}

struct sl_split sl_assembly_split(const struct sl_tool *tool, LLVMValueRef condition)
{
  LLVMValueRef predicate = LLVMBuildZExt(tool->builder, condition, word(tool), "");
  const LLVMTypeRef both = LLVMStructTypeInContext(tool->context, (LLVMTypeRef[]){word(tool), word(tool)}, 2, false);
  const LLVMValueRef split =
      build(tool, ".insn r 0x0B, 2, 0, $0, $1, x0", "=&r,=r,1,~{memory}", both, &predicate, 1, true);
  return (struct sl_split){LLVMBuildExtractValue(tool->builder, split, 0, ""),
                           LLVMBuildExtractValue(tool->builder, split, 1, "")};
}

void sl_assembly_join(const struct sl_tool *tool, LLVMValueRef token)
{
  build(tool, ".insn r 0x0B, 3, 0, x0, $0, x0", "r,~{memory}", nothing(tool), &token, 1, true);
}

LLVMValueRef sl_assembly_active(const struct sl_tool *tool)
{
  return build(tool, "csrr $0, 0xCC4", "=r,~{memory}", word(tool), NULL, 0, true);
}

LLVMValueRef sl_assembly_predicate(const struct sl_tool *tool, LLVMValueRef condition, LLVMValueRef lanes)
{
  LLVMValueRef operands[] = {LLVMBuildZExt(tool->builder, condition, word(tool), ""), lanes};
  return build(tool, ".insn r 0x0B, 5, 0, x0, $0, $2", "=r,0,r,~{memory}", word(tool), operands, 2, true);
}

void sl_assembly_push(const struct sl_tool *tool)
{
  build(tool, ".word 0x00050009", "~{memory}", nothing(tool), NULL, 0, true);
}

void sl_assembly_pop(const struct sl_tool *tool)
{
  build(tool, ".word 0x00051009", "~{memory}", nothing(tool), NULL, 0, true);
}

LLVMValueRef sl_assembly_opaque(const struct sl_tool *tool, LLVMValueRef value)
{
  return build(tool, "", "=r,0", word(tool), &value, 1, false);
}

LLVMValueRef sl_assembly_round(const struct sl_tool *tool, LLVMValueRef value, const char *mode)
{
  char text[32];
  snprintf(text, sizeof text, "fcvt.w.s $0, $1, %s", mode);
  return build(tool, text, tool->integer_floats ? "=r,r" : "=r,f", word(tool), &value, 1, false);
}
