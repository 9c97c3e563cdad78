#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "compiler/opencl/clc.h"

enum { LOCAL = 3 };

bool clc_read(LLVMMemoryBufferRef *bytes, const char *path)
{
  char *error = NULL;
  if (!LLVMCreateMemoryBufferWithContentsOfFile(path, bytes, &error))
    return true;
  fprintf(stderr, "error: %s: %s\n", path, error);
  LLVMDisposeMessage(error);
  *bytes = NULL;
  return false;
}

/* The linker takes a function with linkage linkonce only if something calls it. __local variables are all taken, in
 * their order: they are places only, and have their offsets in that order. */
LLVMModuleRef clc_open(const struct sl_tool *tool, LLVMMemoryBufferRef bytes)
{
  LLVMModuleRef module = NULL;
  const LLVMMemoryBufferRef view =
      LLVMCreateMemoryBufferWithMemoryRange(LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes), "", false);
  if (LLVMGetBitcodeModuleInContext2(tool->context, view, &module))
    return fprintf(stderr, "error: a file is not bitcode of LLVM 19\n"), NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMInternalLinkage)
      LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
  for (LLVMValueRef v = LLVMGetFirstGlobal(module); v != NULL; v = LLVMGetNextGlobal(v))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == LOCAL && !LLVMIsDeclaration(v))
      LLVMSetLinkage(v, LLVMExternalLinkage);
  return module;
}

LLVMValueRef clc_declare(const struct sl_tool *tool, LLVMModuleRef library, const char *name)
{
  const LLVMValueRef known = LLVMGetNamedFunction(tool->module, name);
  const LLVMValueRef function = known == NULL ? LLVMGetNamedFunction(library, name) : NULL;
  return known != NULL ? known : LLVMAddFunction(tool->module, name, LLVMGlobalGetValueType(function));
}

bool clc_link(const struct sl_tool *tool, LLVMModuleRef library)
{
  return !LLVMLinkModules2(tool->module, library);
}

LLVMModuleRef clc_module_like(const struct sl_tool *tool, LLVMModuleRef other)
{
  size_t length;
  const LLVMModuleRef module = LLVMModuleCreateWithNameInContext("kernel", tool->context);
  const char *file = LLVMGetSourceFileName(other, &length);
  LLVMSetSourceFileName(module, file, length);
  LLVMSetTarget(module, LLVMGetTarget(other));
  LLVMSetDataLayout(module, LLVMGetDataLayoutStr(other));
  return module;
}
