#include <string.h>

#include "compiler/opencl/clc.h"

/* A record: its bytes, the format's address, two free words, then the arguments as a host runtime reads them
 * (host/host_device.h): at their natural alignment, float as double, pointers as 64 bits. */
enum { HEADER = 16, MOST = 1024, WIDE = 8 };

static LLVMTypeRef word(const struct sl_tool *tool)
{
  return LLVMInt32TypeInContext(tool->context);
}

static LLVMTypeRef wide(const struct sl_tool *tool)
{
  return LLVMInt64TypeInContext(tool->context);
}

static LLVMValueRef number(const struct sl_tool *tool, unsigned value)
{
  return LLVMConstInt(word(tool), value, false);
}

static LLVMValueRef call(const struct sl_tool *tool, const char *name, LLVMValueRef *values, unsigned count)
{
  const LLVMValueRef function = LLVMGetNamedFunction(tool->module, name);
  return LLVMBuildCall2(tool->builder, LLVMGlobalGetValueType(function), function, values, count, "");
}

/* The argument as it is stored; NULL: its type cannot be printed. */
static LLVMValueRef convert(const struct sl_tool *tool, LLVMValueRef value)
{
  LLVMValueRef bits;
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 32 ? LLVMBuildIntCast2(tool->builder, value, word(tool), true, "")
                                                        : LLVMBuildIntCast2(tool->builder, value, wide(tool), true, "");
  case LLVMPointerTypeKind:
    return LLVMBuildZExt(tool->builder, LLVMBuildPtrToInt(tool->builder, value, word(tool), ""), wide(tool), "");
  case LLVMFloatTypeKind:
    bits = LLVMBuildBitCast(tool->builder, value, word(tool), "");
    return call(tool, "simtlab_widen", &bits, 1);
  case LLVMVectorTypeKind: return value;
  default: return NULL;
  }
}

/* Bytes of a stored argument, to which it is aligned: a vector of 3 has the room of 4. */
static unsigned room_of(const struct sl_tool *tool, LLVMTypeRef type)
{
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return type == word(tool) ? 4 : WIDE;
  const unsigned elements = LLVMGetVectorSize(type);
  const LLVMTypeRef element = LLVMGetElementType(type);
  const unsigned bits =
      LLVMGetTypeKind(element) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(element) : 32; /* else float */
  return (elements == 3 ? 4 : elements) * bits / 8;
}

/* Stores a vector element by element, since the record has the alignment of words only. */
static void store(const struct sl_tool *tool, LLVMValueRef value, LLVMValueRef record, unsigned offset)
{
  const LLVMTypeRef type = LLVMTypeOf(value), byte = LLVMInt8TypeInContext(tool->context);
  const bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  const unsigned count = vector ? LLVMGetVectorSize(type) : 1, stored = vector && count == 3 ? 4 : count;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef at = number(tool, offset + i * (room_of(tool, type) / stored));
    const LLVMValueRef element = vector ? LLVMBuildExtractElement(tool->builder, value, number(tool, i), "") : value;
    at = LLVMBuildGEP2(tool->builder, byte, record, &at, 1, "");
    LLVMBuildStore(tool->builder, element, at);
  }
}

static bool lower(const struct sl_tool *tool, LLVMValueRef instruction)
{
  const unsigned count = LLVMGetNumArgOperands(instruction);
  LLVMValueRef *value = sl_room(count, sizeof *value);
  unsigned *offset = sl_room(count, sizeof *offset), bytes = 0;
  bool right = true;
  LLVMPositionBuilderBefore(tool->builder, instruction);
  for (unsigned i = 1; i < count && right; i++) {
    value[i] = convert(tool, LLVMGetOperand(instruction, i));
    right = value[i] != NULL;
    const unsigned room = right ? room_of(tool, LLVMTypeOf(value[i])) : 1;
    offset[i] = (bytes + room - 1) / room * room;
    bytes = offset[i] + room;
  }
  bytes = (HEADER + bytes + HEADER - 1) / HEADER * HEADER;
  if (!right || bytes > MOST)
    fprintf(stderr, "error: printf: %s\n", right ? "the arguments have more than 1,008 bytes" : "an argument's type");
  right = right && bytes <= MOST;
  if (right) {
    LLVMValueRef values[] = {number(tool, bytes),
                             LLVMBuildPtrToInt(tool->builder, LLVMGetOperand(instruction, 0), word(tool), "")};
    const LLVMValueRef record = call(tool, "simtlab_print", values, 2);
    for (unsigned i = 1; i < count; i++)
      store(tool, value[i], record, HEADER + offset[i]);
    LLVMReplaceAllUsesWith(instruction, number(tool, 0));
    LLVMInstructionEraseFromParent(instruction);
  }
  free(value);
  free(offset);
  return right;
}

bool clc_lower_print(const struct sl_tool *tool)
{
  const LLVMValueRef print = LLVMGetNamedFunction(tool->module, "printf");
  for (LLVMUseRef use = print != NULL ? LLVMGetFirstUse(print) : NULL; use != NULL; use = LLVMGetFirstUse(print)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) == NULL || LLVMGetCalledValue(user) != print)
      return fprintf(stderr, "error: the address of printf is used\n"), false;
    if (!lower(tool, user))
      return false;
  }
  return true;
}
