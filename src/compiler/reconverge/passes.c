#include "compiler/reconverge/passes.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reconverge/room.h"

static bool complain(const char *what, const char *why)
{
  fprintf(stderr, "simtlab-marks: %s: %s\n", what, why);
  return false;
}

static unsigned attribute_kind(const char *name)
{
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

enum { OF_FUNCTION = -1 };

static bool has(LLVMValueRef function, const char *name)
{
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)OF_FUNCTION, attribute_kind(name)) != NULL;
}

static void give(const struct sl_tool *tool, LLVMValueRef function, const char *name)
{
  const LLVMAttributeRef attribute = LLVMCreateEnumAttribute(tool->context, attribute_kind(name), 0);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)OF_FUNCTION, attribute);
}

static void take(LLVMValueRef function, const char *name)
{
  LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)OF_FUNCTION, attribute_kind(name));
}

/* Returns a text attribute of a compiled function; empty if it has none. */
static const char *feature_text(const struct sl_tool *tool, const char *name)
{
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f)) {
    const LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)OF_FUNCTION, name, (unsigned)strlen(name));
    unsigned length;
    if (!LLVMIsDeclaration(f) && a != NULL)
      return LLVMGetStringAttributeValue(a, &length);
  }
  return "";
}

static const char *abi_of(const struct sl_tool *tool)
{
  static const char flag[] = "target-abi";
  const LLVMMetadataRef abi = LLVMGetModuleFlag(tool->module, flag, sizeof flag - 1);
  unsigned length;
  return abi != NULL ? LLVMGetMDString(LLVMMetadataAsValue(tool->context, abi), &length) : "";
}

/* What code generation must not do: merge the ends of marked statements, make branches of selects or calls of what is
 * compared. Divisions and conversions of 64 bits are functions with loops of their own: on Vortex they become loops
 * here, which are marked like others. */
static void set_options(enum sl_marks_kind kind)
{
  static const char *const options[] = {"simtlab-marks",
                                        "-disable-cgp-select2branch",
                                        "-enable-tail-merge=false",
                                        "-disable-mergeicmps",
                                        "-disable-select-optimize",
                                        "-expand-div-rem-bits=32",
                                        "-expand-fp-convert-bits=32"};
  enum { OF_ALL = 5 };
  LLVMParseCommandLineOptions(kind == SL_MARKS_VORTEX ? (int)(sizeof options / sizeof *options) : OF_ALL, options, "");
}

/* Zicond, which Vortex has, is not named to the assembler: not every linker knows it. */
static void prepare_functions(struct sl_tool *tool)
{
  static const char key[] = "target-features";
  char features[2000];
  snprintf(features, sizeof features, "%s%s", feature_text(tool, key), tool->kind == SL_MARKS_VORTEX ? ",+zicond" : "");
  tool->integer_floats = strstr(features, "+zfinx") != NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    take(f, "optnone");
    const LLVMAttributeRef wider =
        LLVMCreateStringAttribute(tool->context, key, sizeof key - 1, features, (unsigned)strlen(features));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)OF_FUNCTION, wider);
    static const char no_tables[] = "no-jump-tables", yes[] = "true";
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)OF_FUNCTION,
                            LLVMCreateStringAttribute(tool->context, no_tables, sizeof no_tables - 1, yes, 4));
  }
}

static bool make_machine(struct sl_tool *tool)
{
  LLVMTargetRef target;
  char *error = NULL;
  const char *triple = LLVMGetTarget(tool->module);
  if (LLVMGetTargetFromTriple(triple, &target, &error)) {
    complain(triple, error);
    LLVMDisposeMessage(error);
    return false;
  }
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, feature_text(tool, "target-cpu"));
  LLVMTargetMachineOptionsSetFeatures(options, feature_text(tool, "target-features"));
  LLVMTargetMachineOptionsSetABI(options, abi_of(tool));
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options, LLVMCodeGenLevelDefault);
  LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocStatic);
  LLVMTargetMachineOptionsSetCodeModel(options, LLVMCodeModelMedium);
  tool->machine = LLVMCreateTargetMachineWithOptions(target, triple, options);
  LLVMDisposeTargetMachineOptions(options);
  return tool->machine != NULL;
}

bool sl_open_module(struct sl_tool *tool, const char *path)
{
  LLVMMemoryBufferRef bytes;
  char *error = NULL;
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmParser();
  LLVMInitializeRISCVAsmPrinter();
  set_options(tool->kind);
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &error)) {
    complain(path, error);
    LLVMDisposeMessage(error);
    return false;
  }
  tool->context = LLVMContextCreate();
  tool->builder = LLVMCreateBuilderInContext(tool->context);
  const bool read = !LLVMParseBitcodeInContext2(tool->context, bytes, &tool->module);
  LLVMDisposeMemoryBuffer(bytes);
  if (!read)
    return complain(path, "not bitcode of LLVM 19");
  if (!make_machine(tool))
    return complain(path, "compiled for another target than RISC-V");
  prepare_functions(tool);
  return true;
}

void sl_close_module(struct sl_tool *tool)
{
  if (tool->machine != NULL)
    LLVMDisposeTargetMachine(tool->machine);
  if (tool->module != NULL)
    LLVMDisposeModule(tool->module);
  if (tool->builder != NULL)
    LLVMDisposeBuilder(tool->builder);
  if (tool->context != NULL)
    LLVMContextDispose(tool->context);
}

bool sl_run_passes(const struct sl_tool *tool, const char *passes)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, false);
  LLVMPassBuilderOptionsSetSLPVectorization(options, false);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, false);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, tool->kind == SL_MARKS_VORTEX);
  LLVMErrorRef error = LLVMRunPasses(tool->module, passes, tool->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error == NULL)
    return true;
  char *text = LLVMGetErrorMessage(error);
  complain(passes, text);
  LLVMDisposeErrorMessage(text);
  return false;
}

static bool is_chosen(LLVMValueRef function, const struct sl_lane_function *functions, size_t count,
                      bool (*chosen)(const struct sl_lane_function *))
{
  for (size_t i = 0; i < count; i++)
    if (functions[i].function == function)
      return chosen(&functions[i]);
  return false;
}

/* Passes skip functions marked optnone: all functions outside the list get this mark while the passes run. */
bool sl_run_passes_on(const struct sl_tool *tool, const char *passes, const struct sl_lane_function *functions,
                      size_t count, bool (*chosen)(const struct sl_lane_function *))
{
  size_t held = 0, all = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    all++;
  struct held {
    LLVMValueRef function;
    bool inlined;
  } *list = sl_room(all, sizeof *list);
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !is_chosen(f, functions, count, chosen)) {
      list[held++] = (struct held){f, !has(f, "noinline")};
      give(tool, f, "optnone");
      give(tool, f, "noinline");
    }
  const bool done = held == all || sl_run_passes(tool, passes);
  for (size_t i = 0; i < held; i++) {
    take(list[i].function, "optnone");
    if (list[i].inlined)
      take(list[i].function, "noinline");
  }
  free(list);
  return done;
}

bool sl_write_code(const struct sl_tool *tool, const char *path, enum sl_marks_output output)
{
  const LLVMCodeGenFileType kind = output == SL_MARKS_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile;
  char *error = NULL;
  if (LLVMVerifyModule(tool->module, LLVMReturnStatusAction, &error)) {
    complain("the marks have spoiled the module, which is a fault of this tool", error);
    LLVMDisposeMessage(error);
    return false;
  }
  LLVMDisposeMessage(error);
  if (output == SL_MARKS_BITCODE)
    return LLVMWriteBitcodeToFile(tool->module, path) == 0 || complain(path, "cannot be written");
  if (LLVMTargetMachineEmitToFile(tool->machine, tool->module, path, kind, &error)) {
    complain(path, error);
    LLVMDisposeMessage(error);
    return false;
  }
  return true;
}
