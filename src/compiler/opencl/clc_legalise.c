#include <string.h>

#include "compiler/opencl/clc.h"
#include "compiler/reconverge/passes.h"

struct legalising {
  const struct sl_tool *tool;
  LLVMModuleRef library;
};

static LLVMTypeRef word(const struct sl_tool *tool)
{
  return LLVMInt32TypeInContext(tool->context);
}

/* Calls a function of the device library; pointers become private ones. */
static LLVMValueRef call(const struct legalising *l, const char *name, LLVMValueRef *values, unsigned count)
{
  const struct sl_tool *tool = l->tool;
  const LLVMValueRef function = clc_declare(tool, l->library, name);
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
static LLVMValueRef exchange(const struct legalising *l, LLVMValueRef instruction)
{
  const struct sl_tool *tool = l->tool;
  LLVMValueRef values[] = {LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1),
                           LLVMGetOperand(instruction, 2)};
  const LLVMValueRef expected = values[1];
  if (LLVMTypeOf(expected) != word(tool))
    return NULL;
  const LLVMValueRef old = call(l, "simtlab_exchange", values, 3);
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
  static const struct {
    const char *name, *function;
    bool rounds; /* Vortex has conversions with rounding modes */
  } unary[] = {{"sin", "sin", false},    {"cos", "cos", false},      {"exp2", "exp2", false},
               {"exp", "exp", false},    {"log10", "log10", false},  {"log2", "log2", false},
               {"log", "log", false},    {"trunc", "trunc", true},   {"floor", "floor", true},
               {"ceil", "ceil", true},   {"rint", "rint", true},     {"nearbyint", "rint", true},
               {"round", "round", true}, {"roundeven", "rint", true}};
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
  for (size_t k = 0; k < sizeof unary / sizeof *unary; k++) {
    snprintf(text, sizeof text, "%s.f32", unary[k].name);
    if (strcmp(name, text) == 0 && !(unary[k].rounds && fused)) {
      snprintf(text, sizeof text, "simtlab_%s", unary[k].function);
      return text;
    }
  }
  return NULL;
}

/* ---- classes of floats, for machines without the instruction ---------------------------------------------------- */

enum { INFINITE = 0x7F800000, QUIET = 0x7FC00000, NORMAL_LEAST = 0x00800000, FRACTION = 0x007FFFFF };

static LLVMValueRef number(const struct sl_tool *tool, unsigned value)
{
  return LLVMConstInt(word(tool), value, false);
}

/* Whether first <= size < first + count. */
static LLVMValueRef within(const struct sl_tool *tool, LLVMValueRef size, unsigned first, unsigned count)
{
  return LLVMBuildICmp(tool->builder, LLVMIntULT, LLVMBuildSub(tool->builder, size, number(tool, first), ""),
                       number(tool, count), "");
}

/* llvm.is.fpclass of a word: each class is a range of the bits without the sign. */
static LLVMValueRef class_test(const struct sl_tool *tool, LLVMValueRef i)
{
  static const struct {
    unsigned negative, positive, first, count;
  } ranges[] = {{1 << 0, 1 << 0, INFINITE + 1u, QUIET - INFINITE - 1u},
                {1 << 1, 1 << 1, QUIET, 0x80000000u - QUIET},
                {1 << 2, 1 << 9, INFINITE, 1},
                {1 << 3, 1 << 8, NORMAL_LEAST, INFINITE - NORMAL_LEAST},
                {1 << 4, 1 << 7, 1, FRACTION},
                {1 << 5, 1 << 6, 0, 1}};
  const unsigned classes = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
  const LLVMValueRef bits = LLVMBuildBitCast(tool->builder, LLVMGetOperand(i, 0), word(tool), "");
  const LLVMValueRef size = LLVMBuildAnd(tool->builder, bits, number(tool, 0x7FFFFFFF), "");
  const LLVMValueRef negative = LLVMBuildICmp(tool->builder, LLVMIntSLT, bits, number(tool, 0), "");
  LLVMValueRef any = LLVMConstInt(LLVMInt1TypeInContext(tool->context), 0, false);
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
    const bool minus = (classes & ranges[k].negative) != 0, plus = (classes & ranges[k].positive) != 0;
    if (!minus && !plus)
      continue;
    LLVMValueRef test = within(tool, size, ranges[k].first, ranges[k].count);
    if (minus != plus)
      test = LLVMBuildAnd(tool->builder, test, minus ? negative : LLVMBuildNot(tool->builder, negative, ""), "");
    any = LLVMBuildOr(tool->builder, any, test, "");
  }
  return any;
}

/* Code generation makes a class test of a comparison with infinity, unless it does not know the constant. */
static void hide_infinity(const struct sl_tool *tool, LLVMValueRef comparison)
{
  for (unsigned k = 0; k < 2; k++) {
    const LLVMValueRef operand = LLVMGetOperand(comparison, k);
    LLVMBool lost;
    if (LLVMIsAConstantFP(operand) == NULL || LLVMTypeOf(operand) != LLVMFloatTypeInContext(tool->context))
      continue;
    const double value = LLVMConstRealGetDouble(operand, &lost);
    if (value - value == 0)
      continue;
    LLVMPositionBuilderBefore(tool->builder, comparison);
    const LLVMValueRef bits = sl_assembly_opaque(tool, number(tool, value > 0 ? INFINITE : 0x80000000u | INFINITE));
    LLVMSetOperand(comparison, k, LLVMBuildBitCast(tool->builder, bits, LLVMTypeOf(operand), ""));
  }
}

static LLVMValueRef replacement(const struct legalising *l, LLVMValueRef i)
{
  const struct sl_tool *tool = l->tool;
  LLVMValueRef values[3];
  unsigned count;
  LLVMPositionBuilderBefore(tool->builder, i);
  if (LLVMIsAAtomicCmpXchgInst(i) != NULL)
    return exchange(l, i);
  const LLVMTypeRef half = LLVMInt16TypeInContext(tool->context), floats = LLVMFloatTypeInContext(tool->context);
  if (LLVMIsAFPExtInst(i) != NULL && LLVMTypeOf(i) == floats) {
    values[0] = LLVMBuildBitCast(tool->builder, LLVMGetOperand(i, 0), half, "");
    return call(l, "simtlab_from_half", values, 1);
  }
  if (LLVMIsAFPTruncInst(i) != NULL && LLVMTypeOf(LLVMGetOperand(i, 0)) == floats) {
    values[0] = LLVMGetOperand(i, 0);
    return LLVMBuildBitCast(tool->builder,
                            LLVMBuildTrunc(tool->builder, call(l, "simtlab_to_half", values, 1), half, ""),
                            LLVMTypeOf(i), "");
  }
  if (LLVMIsAFCmpInst(i) != NULL && tool->kind != SL_MARKS_VORTEX)
    hide_infinity(tool, i);
  const char *name = sl_intrinsic_of(i);
  if (name != NULL && tool->kind != SL_MARKS_VORTEX && strcmp(name, "is.fpclass.f32") == 0)
    return class_test(tool, i);
  if (name != NULL && tool->kind != SL_MARKS_VORTEX && strcmp(name, "fmuladd.f32") == 0)
    return LLVMBuildFAdd(tool->builder, LLVMBuildFMul(tool->builder, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), ""),
                         LLVMGetOperand(i, 2), "");
  const char *function = name != NULL ? function_for(name, i, tool->kind == SL_MARKS_VORTEX, &count) : NULL;
  if (function == NULL)
    return NULL;
  for (unsigned k = 0; k < count; k++)
    values[k] = LLVMGetOperand(i, k);
  return call(l, function, values, count);
}

bool clc_legalise(const struct sl_tool *tool, LLVMModuleRef library)
{
  const struct legalising l = {tool, library};
  bool changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        const LLVMValueRef value = replacement(&l, i);
        if (value == NULL)
          continue;
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
          LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
        changed = true;
      }
  return changed;
}

/* ---- printf ------------------------------------------------------------------------------------------------------ */

/* A record: its bytes, the format's address, two free words, then the arguments as a host runtime reads them
 * (host/host_device.h): at their natural alignment, float as double, pointers as 64 bits. */
enum { HEADER = 16, MOST = 1024, WIDE = 8 };

static LLVMTypeRef wide(const struct sl_tool *tool)
{
  return LLVMInt64TypeInContext(tool->context);
}

static LLVMValueRef call_named(const struct sl_tool *tool, const char *name, LLVMValueRef *values, unsigned count)
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
    return call_named(tool, "simtlab_widen", &bits, 1);
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
    const LLVMValueRef record = call_named(tool, "simtlab_print", values, 2);
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
