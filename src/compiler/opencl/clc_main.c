/* simtlab-clc: compiles OpenCL kernels from bitcode of Clang for 32-bit NVPTX, with libclc, to objects for a family of
 * machines with RISC-V instructions. A program of its own, since LLVM ends the process after an internal error.
 *
 * For each kernel, in a module of its own: what the kernel calls is linked, and of the device library the launch
 * (runtime/opencl/riscv.cl); everything is inlined into one function with the kernel's name; operations that the
 * machine lacks are replaced, each by a function of the device library; divergent branches are annotated.
 *
 * There are two rounds of passes and replacements. The functions of the device library have been through the passes
 * when the library was built: LIBRARY.1.bc has them as they are after the first round, LIBRARY.2.bc after the second.
 * A kernel's module gets those that it calls, so no pass works on the others. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <string.h>

#include "compiler/opencl/clc.h"
#include "compiler/reconverge/passes.h"

/* ---- bitcode, and what a module needs of it ---------------------------------------------------------------------- */

enum { LOCAL = 3 };

/* Reads a file. False: it cannot be read, with a sentence. */
static bool clc_read(LLVMMemoryBufferRef *bytes, const char *path)
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

/* Links the functions that the tool's module declares, and those that they call. Frees the library's module. */
static bool clc_link(const struct sl_tool *tool, LLVMModuleRef library)
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

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* An entry sets up the interleaved stack, aligned as the ABI demands, and the first nesting level. */
#define ENTRY(first)                                                                                                   \
  ".text\n.balign 4\n.globl @\n.type @, STT_FUNC\n@:\n\tli sp, -16\n" first                                            \
  "\tcsrrw a0, 0x831, zero\n\tj \"@.thread\"\n.size @, . - @\n"

static const struct clc_target targets[] = {
    {"vortex", "+m,+a,+f", "ilp32f", SL_MARKS_VORTEX, true, 4 * (20 + 16), NULL},
    {"vortex64", "+m,+a,+zfinx", "ilp32", SL_MARKS_VORTEX, true, 4 * (20 + 16), NULL},
    {"simt", "+m,+a,+zfinx", "ilp32", SL_MARKS_LEVELS, true, 4 * (18 + 16), ENTRY("\t.word 0x00050009\n")},
    {"pc", "+m,+a,+zfinx", "ilp32", SL_MARKS_LEVELS, false, 4 * (18 + 16),
     ".text\n.balign 4\n.globl @\n.type @, STT_FUNC\n@:\n\tli sp, -16\n\tcsrrw a0, 0x831, zero\n\tjal ra, "
     "\"@.thread\"\n.size @, . - @\n"},
};

static const char triple[] = "riscv32-unknown-elf";
static const char after_inlining[] =
    "function(sroa,early-cse,instsimplify,scalarizer,instcombine<no-verify-fixpoint>,simplifycfg)";
static const char again[] = "always-inline,function(sroa,early-cse,instsimplify),default<O2>";
static const char inlining[] = "always-inline,globaldce";

/* Bitcode in memory: the kernels, the device library, and its functions after each round of passes. */
enum { ROUNDS = 2 };
struct sources {
  LLVMMemoryBufferRef kernels, launch, round[ROUNDS];
};

enum { PATH_MOST = 4096 };

/* The file of the library's functions after a round: LIBRARY.1.bc of LIBRARY.bc. */
static const char *name_round(char *path, const char *library, unsigned round)
{
  snprintf(path, PATH_MOST, "%.*s.%u.bc", (int)strlen(library) - 3, library, round + 1);
  return path;
}

static void remove_text(LLVMValueRef f, const char *name)
{
  LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

static unsigned kind(const char *name)
{
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void give(const struct sl_tool *tool, LLVMValueRef f, const char *name)
{
  LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(tool->context, kind(name), 0));
}

static void give_text(const struct sl_tool *tool, LLVMValueRef f, const char *name, const char *text)
{
  LLVMAddAttributeAtIndex(
      f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(tool->context, name, (unsigned)strlen(name), text, (unsigned)strlen(text)));
}

static void take(LLVMValueRef f, const char *name)
{
  LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind(name));
}

/* Functions by which operations are replaced: they stay until the last round. */
static bool is_of_library(LLVMValueRef f)
{
  static const char prefix[] = "simtlab_";
  size_t length;
  return strncmp(LLVMGetValueName2(f, &length), prefix, sizeof prefix - 1) == 0 && !LLVMIsDeclaration(f);
}

/* Gives all functions the target's attributes and one calling convention, so that all can be inlined. */
static void retarget(const struct sl_tool *tool, const struct clc_target *target)
{
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f)) {
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    if (LLVMIsDeclaration(f))
      continue;
    LLVMSetLinkage(f, is_of_library(f) ? LLVMExternalLinkage : LLVMInternalLinkage);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    take(f, "noinline");
    take(f, "optnone");
    give(tool, f, "alwaysinline");
    give(tool, f, "nounwind");
    remove_text(f, "target-cpu");
    give_text(tool, f, "target-features", target->features);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) != NULL)
          LLVMSetInstructionCallConv(i, LLVMCCallConv);
  }
}

/* Each kernel's object has its own copies of the program's variables. */
static void hide_variables(const struct sl_tool *tool)
{
  for (LLVMValueRef v = LLVMGetFirstGlobal(tool->module); v != NULL; v = LLVMGetNextGlobal(v))
    if (!LLVMIsDeclaration(v)) {
      LLVMSetLinkage(v, LLVMInternalLinkage);
      LLVMSetVisibility(v, LLVMDefaultVisibility);
    }
}

/* Fails with the names of functions that are called but not defined. */
static bool check_defined(const struct sl_tool *tool, const char *kernel)
{
  size_t length;
  bool right = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f) || LLVMGetFirstUse(f) == NULL || strncmp(name, "llvm.", 5) == 0)
      continue;
    fprintf(stderr, "error: kernel %s: function %s is called but not defined\n", kernel, name);
    right = false;
  }
  return right;
}

/* Fails if a value of the kernel is a float: also one that is only moved would be in a register of its own. */
static bool check_no_float(const struct sl_tool *tool, const char *kernel)
{
  const LLVMTypeRef type = LLVMFloatTypeInContext(tool->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
        for (int k = -1; k < LLVMGetNumOperands(i); k++) {
          const LLVMValueRef value = k < 0 ? i : LLVMGetOperand(i, (unsigned)k);
          if (value == NULL || LLVMTypeOf(value) != type)
            continue;
          fprintf(stderr,
                  "error: kernel %s uses float, and the machine has no floating-point unit; choose a machine "
                  "with fpu=true\n",
                  kernel);
          return false;
        }
  return true;
}

/* Moves the kernel's source lines to the function that it is inlined into. */
static void move_lines(const struct sl_tool *tool, LLVMValueRef kernel, LLVMValueRef run)
{
  const LLVMMetadataRef lines = LLVMGetSubprogram(kernel);
  if (lines == NULL)
    return;
  LLVMGlobalEraseMetadata(kernel, LLVMGetMDKindIDInContext(tool->context, "dbg", 3));
  LLVMSetSubprogram(run, lines);
}

/* Inlines everything into the function of the kernel's name. */
static LLVMValueRef make_function(const struct sl_tool *tool, const struct clc_target *target, const char *name,
                                  struct clc_layout *layout)
{
  char text[600];
  const LLVMValueRef kernel = LLVMGetNamedFunction(tool->module, name);
  const LLVMValueRef run = LLVMGetNamedFunction(tool->module, "simtlab_run");
  const LLVMValueRef body = LLVMGetNamedFunction(tool->module, "simtlab_body");
  snprintf(text, sizeof text, "%s.kernel", name);
  LLVMSetValueName2(kernel, text, strlen(text));
  snprintf(text, sizeof text, target->entry != NULL ? "%s.thread" : "%s", name);
  LLVMSetValueName2(run, text, strlen(text));
  LLVMSetLinkage(run, LLVMExternalLinkage);
  take(run, "alwaysinline");
  give(tool, run, "noinline");
  move_lines(tool, kernel, run);
  if (!clc_call_kernel(tool, target, kernel, layout))
    return NULL;
  LLVMSetLinkage(body, LLVMInternalLinkage);
  give(tool, body, "alwaysinline");
  give_text(tool, body, "target-features", target->features);
  if (!sl_run_passes(tool, "always-inline"))
    return NULL;
  clc_make_item(tool, run);
  return run;
}

/* Counts what lanes of a warp may disagree about in the final function, but no annotation encloses: branches, and
 * selects, of which code generation may make branches. Results are right where lanes have program counters of their
 * own; on Vortex such a branch is a fault. */
static void check_annotated(const struct sl_tool *tool, const struct sl_marked_function *f)
{
  static const char differs[] = "simt.differs";
  const unsigned noted = LLVMGetMDKindIDInContext(tool->context, differs, sizeof differs - 1);
  struct sl_flow flow;
  struct sl_divergence divergence;
  unsigned branches = 0, selects = 0;
  size_t length;
  sl_flow_make(&flow, f->function);
  sl_divergence_find(&divergence, &flow, f->function, f->same_parameters);
  for (unsigned b = 0; b < flow.count; b++) {
    branches += divergence.split[b] && LLVMGetMetadata(LLVMGetBasicBlockTerminator(flow.block[b]), noted) == NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow.block[b]); i != NULL; i = LLVMGetNextInstruction(i))
      selects += LLVMIsASelectInst(i) != NULL && tool->kind == SL_MARKS_LEVELS &&
                 sl_differs(&divergence, LLVMGetOperand(i, 0));
  }
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
  if (branches + selects > 0)
    fprintf(stderr, "warning: %s: %u divergent branches and %u divergent selects have no reconvergence annotation\n",
            LLVMGetValueName2(f->function, &length), branches, selects);
}

static void hide_library(const struct sl_tool *tool)
{
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    if (is_of_library(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Replaces operations by functions of the device library as they are after the round. simtlab_fma stays a function: it
 * is external, so that passes do not change how it is called. */
static bool legalise(const struct sl_tool *tool, LLVMMemoryBufferRef functions)
{
  const LLVMModuleRef library = clc_open(tool, functions);
  if (library == NULL)
    return false;
  if (!clc_legalise(tool, library)) {
    LLVMDisposeModule(library);
    return true;
  }
  if (!clc_link(tool, library))
    return false;
  const LLVMValueRef fma = LLVMGetNamedFunction(tool->module, "simtlab_fma");
  if (fma != NULL)
    LLVMSetLinkage(fma, LLVMExternalLinkage);
  return true;
}

/* What the second round replaces was made by the passes of the first one. */
static bool optimise(const struct sl_tool *tool, const struct clc_target *target, LLVMValueRef function,
                     const struct sources *from)
{
  struct sl_marked_function all[] = {{.function = function, .same_parameters = true}, {.function = NULL}};
  if (!sl_run_passes(tool, after_inlining) || !legalise(tool, from->round[0]) || !sl_run_passes(tool, again) ||
      !sl_run_passes(tool, after_inlining) || !legalise(tool, from->round[1]))
    return false;
  hide_library(tool);
  if (!sl_run_passes(tool, inlining))
    return false;
  all[1].function = LLVMGetNamedFunction(tool->module, "simtlab_fma");
  const size_t count = all[1].function != NULL ? 2 : 1;
  if (!target->marks)
    return true;
  if (!sl_annotate(tool, all, count))
    return false;
  for (size_t i = 0; i < count; i++)
    check_annotated(tool, &all[i]);
  return true;
}

/* Each appended text is a line of its own, so the whole entry is built first. */
static void append_entry(const struct sl_tool *tool, const struct clc_target *target, const char *name)
{
  size_t length = 0;
  char *text = sl_room(strlen(target->entry) * (strlen(name) + 1), 1);
  for (const char *at = target->entry; *at != '\0'; at++)
    length += (size_t)sprintf(text + length, *at == '@' ? "%s" : "%.1s", *at == '@' ? name : at);
  LLVMAppendModuleInlineAsm(tool->module, text, length);
  free(text);
}

/* 64-bit instruction words: code generation is elsewhere. */
static bool is_wide(const struct clc_target *target)
{
  return strcmp(target->name, "vortex64") == 0;
}

/* What the check of the final code must know (ocl_riscv.c), and what the host must know to launch the kernel. */
static void describe(FILE *branches, FILE *to, const char *name, const struct clc_layout *l)
{
  fprintf(to, "L\t%s\t%u\t%u\n", name, l->local_bytes, l->parameter_bytes);
  fprintf(branches, "%u\t%u\t%s\t%s\n", l->branches + l->made, l->annotations, name, l->kinds);
  for (unsigned i = 0; i < l->count; i++)
    fprintf(to, "O\t%u\t%u\n", l->parameter[i].offset, l->parameter[i].bytes);
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

/* Makes the module one for the machine: its attributes, its code generation, its layout of data. */
static bool prepare(struct sl_tool *tool, const struct clc_target *target)
{
  LLVMSetTarget(tool->module, triple);
  LLVMAddModuleFlag(tool->module, LLVMModuleFlagBehaviorOverride, "target-abi", strlen("target-abi"),
                    LLVMMDStringInContext2(tool->context, target->abi, strlen(target->abi)));
  retarget(tool, target);
  hide_variables(tool);
  if (!sl_prepare_module(tool))
    return false;
  const LLVMTargetDataRef data = LLVMCreateTargetDataLayout(tool->machine);
  LLVMSetModuleDataLayout(tool->module, data);
  LLVMDisposeTargetData(data);
  return true;
}

static void close_module(struct sl_tool *tool)
{
  if (tool->machine != NULL)
    LLVMDisposeTargetMachine(tool->machine);
  if (tool->module != NULL)
    LLVMDisposeModule(tool->module);
  tool->machine = NULL;
  tool->module = NULL;
}

/* A module of the kernel, of what it calls, and of the launch. */
static bool make_module(struct sl_tool *tool, const struct sources *from, const char *kernel)
{
  LLVMModuleRef source = clc_open(tool, from->kernels);
  if (source == NULL)
    return false;
  tool->module = clc_module_like(tool, source);
  clc_declare(tool, source, kernel);
  source = clc_link(tool, source) ? clc_open(tool, from->launch) : NULL;
  if (source == NULL)
    return false;
  clc_declare(tool, source, "simtlab_run");
  if (LLVMGetNamedFunction(tool->module, "printf") != NULL) {
    clc_declare(tool, source, "simtlab_print");
    clc_declare(tool, source, "simtlab_widen");
  }
  return clc_link(tool, source);
}

static bool compile(const struct sl_tool *start, const struct clc_target *target, const struct sources *from,
                    const char *name, const char *path, bool no_float, FILE *branches, FILE *described)
{
  struct sl_tool tool = *start;
  struct clc_layout layout = {0};
  bool right = make_module(&tool, from, name) && prepare(&tool, target) && clc_lower_print(&tool);
  LLVMSetCurrentDebugLocation2(tool.builder, NULL); /* not that of another function */
  const LLVMValueRef function = right ? make_function(&tool, target, name, &layout) : NULL;
  if (function != NULL && is_wide(target)) /* a section that the linker keeps: the host starts kernels by name */
    LLVMSetSection(function, ".text.start");
  right = function != NULL && optimise(&tool, target, function, from) && check_defined(&tool, name) &&
          (!no_float || check_no_float(&tool, name));
  if (right)
    clc_number_branches(&tool, function, target->marks, &layout);
  if (right &&
      is_wide(target)) /* no pass uses it, but all lanes set up the frame, also those that the launch disables */
    give(&tool, function, "sanitize_thread");
  if (right && target->entry != NULL)
    append_entry(&tool, target, name);
  right = right && sl_write_code(&tool, path, is_wide(target) ? SL_MARKS_BITCODE : SL_MARKS_OBJECT);
  if (right)
    describe(branches, described, name, &layout);
  free(layout.parameter);
  free(layout.kinds);
  close_module(&tool);
  return right;
}

static bool is_kernel(LLVMValueRef f)
{
  enum { SPIR_KERNEL = 76 };
  return !LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) == SPIR_KERNEL;
}

/* Writes PREFIX.0.o, PREFIX.1.o, ..., what the host must know to PREFIX.txt, and the kernels' branches to
 * PREFIX.branches. */
static bool compile_all(const struct sl_tool *tool, const struct clc_target *target, const struct sources *from,
                        const char *prefix, bool no_float)
{
  char path[PATH_MOST];
  unsigned number = 0;
  const LLVMModuleRef kernels = clc_open(tool, from->kernels);
  bool right = kernels != NULL;
  if (!right)
    return false;
  snprintf(path, sizeof path, "%s.txt", prefix);
  FILE *described = fopen(path, "w");
  snprintf(path, sizeof path, "%s.branches", prefix);
  FILE *branches = described != NULL ? fopen(path, "w") : NULL;
  if (branches == NULL) {
    fprintf(stderr, "error: files %s.txt and %s.branches cannot be written\n", prefix, prefix);
    if (described != NULL)
      fclose(described);
    return false;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(kernels); f != NULL && right; f = LLVMGetNextFunction(f)) {
    size_t length;
    if (!is_kernel(f))
      continue;
    snprintf(path, sizeof path, "%s.%u.%s", prefix, number++, is_wide(target) ? "bc" : "o");
    right = compile(tool, target, from, LLVMGetValueName2(f, &length), path, no_float, branches, described);
  }
  LLVMDisposeModule(kernels);
  right = fclose(branches) == 0 && right;
  return fclose(described) == 0 && right;
}

/* ---- the device library ------------------------------------------------------------------------------------------ */

/* The launch has no kernel to call yet, so only the functions that replace operations stay. */
static void drop_launch(const struct sl_tool *tool)
{
  static const char *const launch[] = {"simtlab_run", "simtlab_print", "simtlab_widen"};
  for (size_t i = 0; i < sizeof launch / sizeof *launch; i++)
    LLVMSetLinkage(LLVMGetNamedFunction(tool->module, launch[i]), LLVMInternalLinkage);
}

/* simtlab_fma is large: it stays a function. */
static bool keep_fma(const struct sl_tool *tool)
{
  const LLVMValueRef fma = LLVMGetNamedFunction(tool->module, "simtlab_fma");
  take(fma, "alwaysinline");
  give(tool, fma, "noinline");
  return true;
}

static bool write_round(const struct sl_tool *tool, const char *library, unsigned round)
{
  char path[PATH_MOST];
  clc_legalise(tool, NULL);
  return sl_write_code(tool, name_round(path, library, round), SL_MARKS_BITCODE);
}

static bool compile_library(struct sl_tool *tool, const struct clc_target *target, const char *path)
{
  tool->module = sl_parse(tool, path);
  bool right = tool->module != NULL && prepare(tool, target);
  if (right)
    drop_launch(tool);
  return right && sl_run_passes(tool, "globaldce,always-inline") && keep_fma(tool) &&
         sl_run_passes(tool, after_inlining) && write_round(tool, path, 0) && sl_run_passes(tool, again) &&
         sl_run_passes(tool, after_inlining) && write_round(tool, path, 1);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static bool read_sources(struct sources *from, const char *library, const char *kernels)
{
  char path[PATH_MOST];
  bool right = clc_read(&from->kernels, kernels) && clc_read(&from->launch, library);
  for (unsigned i = 0; i < ROUNDS; i++)
    right = right && clc_read(&from->round[i], name_round(path, library, i));
  return right;
}

static void free_sources(struct sources *from)
{
  const LLVMMemoryBufferRef all[] = {from->kernels, from->launch, from->round[0], from->round[1]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] != NULL)
      LLVMDisposeMemoryBuffer(all[i]);
}

static int usage(void)
{
  fprintf(stderr,
          "usage: simtlab-clc vortex|vortex64|simt|pc LIBRARY.bc KERNELS.bc PREFIX [no-float]\n"
          "       simtlab-clc vortex|vortex64|simt|pc LIBRARY.bc\n"
          "Compiles OpenCL kernels from bitcode to objects PREFIX.0.o, ...; libsimtlab-opencl.so runs this. Without\n"
          "kernels: compiles the device library's functions to LIBRARY.1.bc and LIBRARY.2.bc, which kernels need.\n");
  return 2;
}

int main(int argc, char **argv)
{
  enum { LIBRARY = 2, KERNELS, PREFIX, NO_FLOAT };
  const struct clc_target *target = NULL;
  const bool no_float = argc == NO_FLOAT + 1 && strcmp(argv[NO_FLOAT], "no-float") == 0;
  const bool of_library = argc == KERNELS;
  for (size_t i = 0; (of_library || argc == NO_FLOAT + no_float) && i < sizeof targets / sizeof *targets; i++)
    if (strcmp(argv[1], targets[i].name) == 0)
      target = &targets[i];
  if (target == NULL)
    return usage();
  /* Without selects, code generation creates no branches, and the check of the final code is exact. */
  struct sl_tool tool = {.kind = target->kind, .all_selects = target->kind == SL_MARKS_LEVELS};
  struct sources from = {.kernels = NULL};
  /* A frame is made by all lanes, before the launch has chosen some. An instruction whose location was lost does not
   * take that of the one before, by which a branch would seem another one (clc_kernel.c). The folding of branches
   * gives conditional branches the location of an unconditional one, which has none; the placement of blocks, which
   * keeps it, does what it would do. */
  static const char *const options[] = {
      "simtlab-clc",          "-enable-shrink-wrap=false", "-use-unknown-locations=Enable",
      "-disable-branch-fold", "-expand-div-rem-bits=32",   "-expand-fp-convert-bits=32"};
  sl_start(&tool);
  LLVMParseCommandLineOptions(target->kind == SL_MARKS_VORTEX ? 4 : 6, options, "");
  const bool done = of_library ? compile_library(&tool, target, argv[LIBRARY])
                               : read_sources(&from, argv[LIBRARY], argv[KERNELS]) &&
                                     compile_all(&tool, target, &from, argv[PREFIX], no_float);
  free_sources(&from);
  sl_close_module(&tool);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
