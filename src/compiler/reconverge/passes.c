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

static unsigned successor(const struct sl_flow *flow, unsigned block, unsigned i)
{
  return flow->successors.item[flow->successors.begin[block] + i];
}

unsigned sl_preheader(const struct sl_flow *flow, unsigned header)
{
  unsigned found = SL_NO_BLOCK;
  for (unsigned e = flow->predecessors.begin[header]; e < flow->predecessors.begin[header + 1]; e++) {
    const unsigned from = flow->predecessors.item[e];
    if (sl_flow_in_loop(flow, from, header))
      continue;
    if (found != SL_NO_BLOCK || flow->successors.begin[from + 1] - flow->successors.begin[from] != 1)
      return SL_NO_BLOCK;
    found = from;
  }
  return found;
}

/* Whether every iteration passes the branch, and no other edge leaves the loop. */
static bool is_one_exit(const struct sl_flow *flow, unsigned branch, unsigned header)
{
  for (unsigned b = 0; b < flow->count; b++) {
    if (!sl_flow_in_loop(flow, b, header))
      continue;
    for (unsigned e = flow->successors.begin[b]; e < flow->successors.begin[b + 1]; e++) {
      const unsigned to = flow->successors.item[e];
      if ((to == header && !sl_flow_dominates(flow, branch, b)) || (b != branch && !sl_flow_in_loop(flow, to, header)))
        return false;
    }
  }
  return true;
}

static enum sl_nest nest_of_exit(const struct sl_flow *flow, unsigned branch, unsigned header, unsigned exit)
{
  const bool nested = exit < flow->count && flow->loop[exit] == flow->outer[header] &&
                      sl_preheader(flow, header) != SL_NO_BLOCK && is_one_exit(flow, branch, header);
  return nested ? SL_NEST_LOOP : SL_NEST_NONE;
}

static enum sl_nest nest_of_statement(const struct sl_flow *flow, unsigned branch, unsigned end)
{
  if (end >= flow->count || flow->loop[end] != flow->loop[branch] || end == flow->loop[branch])
    return SL_NEST_NONE;
  bool *inside = sl_room(flow->count + 1, sizeof *inside), nested = true;
  sl_flow_reach(flow, successor(flow, branch, 0), end, inside);
  sl_flow_reach(flow, successor(flow, branch, 1), end, inside);
  for (unsigned b = 0; b <= flow->count && nested; b++)
    nested = !inside[b] || (b != branch && b != flow->count && sl_flow_dominates(flow, branch, b));
  free(inside);
  return nested ? SL_NEST_STATEMENT : SL_NEST_NONE;
}

enum sl_nest sl_nest_of(const struct sl_flow *flow, unsigned branch)
{
  const unsigned header = flow->loop[branch], a = successor(flow, branch, 0), b = successor(flow, branch, 1);
  if (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(flow->block[branch])) != LLVMBr)
    return SL_NEST_NONE;
  if (header != SL_NO_BLOCK) {
    const bool a_stays = sl_flow_in_loop(flow, a, header), b_stays = sl_flow_in_loop(flow, b, header);
    if (a_stays != b_stays)
      return nest_of_exit(flow, branch, header, a_stays ? b : a);
  }
  return nest_of_statement(flow, branch, flow->post_dominator[branch]);
}

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

/* vx_yield of runtime/vortex.h. */
void sl_assembly_yield(const struct sl_tool *tool)
{
  build(tool, ".insn r 0x0B, 0, 5, x0, x0, x0", "~{memory}", nothing(tool), NULL, 0, true);
}

void sl_assembly_barrier(const struct sl_tool *tool, unsigned number, bool wait)
{
  char text[64];
  snprintf(text, sizeof text, ".insn r 0x0B, %d, 6, x0, x%u, x0", wait, number);
  build(tool, text, "~{memory}", nothing(tool), NULL, 0, true);
}

void sl_assembly_push(const struct sl_tool *tool)
{
  build(tool, ".word 0x00050009", "~{memory}", nothing(tool), NULL, 0, true);
}

void sl_assembly_pop(const struct sl_tool *tool)
{
  build(tool, ".word 0x00051009", "~{memory}", nothing(tool), NULL, 0, true);
}

LLVMValueRef sl_assembly_single(const struct sl_tool *tool, LLVMValueRef value)
{
  return build(tool, "", "=r,0", word(tool), &value, 1, true);
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

LLVMModuleRef sl_parse(const struct sl_tool *tool, const char *path)
{
  LLVMMemoryBufferRef bytes;
  LLVMModuleRef module = NULL;
  char *error = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &error)) {
    complain(path, error);
    LLVMDisposeMessage(error);
    return NULL;
  }
  const bool read = !LLVMParseBitcodeInContext2(tool->context, bytes, &module);
  LLVMDisposeMemoryBuffer(bytes);
  return read || complain(path, "not bitcode of LLVM 19") ? module : NULL;
}

void sl_start(struct sl_tool *tool)
{
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmParser();
  LLVMInitializeRISCVAsmPrinter();
  set_options(tool->kind);
  tool->context = LLVMContextCreate();
  tool->builder = LLVMCreateBuilderInContext(tool->context);
}

bool sl_prepare_module(struct sl_tool *tool)
{
  if (!make_machine(tool))
    return complain(LLVMGetSourceFileName(tool->module, &(size_t){0}), "compiled for another target than RISC-V");
  prepare_functions(tool);
  return true;
}

bool sl_open_module(struct sl_tool *tool, const char *path)
{
  sl_start(tool);
  tool->module = sl_parse(tool, path);
  return tool->module != NULL && sl_prepare_module(tool);
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

static bool is_chosen(LLVMValueRef function, const struct sl_marked_function *functions, size_t count,
                      bool (*chosen)(const struct sl_marked_function *))
{
  for (size_t i = 0; i < count; i++)
    if (functions[i].function == function)
      return chosen(&functions[i]);
  return false;
}

/* Passes skip functions marked optnone: all functions outside the list get this mark while the passes run. */
bool sl_run_passes_on(const struct sl_tool *tool, const char *passes, const struct sl_marked_function *functions,
                      size_t count, bool (*chosen)(const struct sl_marked_function *))
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
