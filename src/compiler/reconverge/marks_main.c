/* simtlab-marks: reconvergence pass. It compiles LLVM bitcode of a C or C++ file to an object, assembly, or bitcode for
 * llc, and inserts reconvergence annotations. `simtlab cc --marks=auto` runs it. It is a separate program because LLVM
 * terminates the process on fatal errors. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reconverge/passes.h"

/* Call graph analysis: finds the functions that the lanes of a warp run together. One lane, or a host CPU without
 * annotations, runs `main` and the functions that only `main` calls. */

/* Facts about a function of the module, in the module's order. */
struct known {
  LLVMValueRef function;
  bool kernel; /* marked as used, which SIMT_KERNEL does */
  bool lanes, host;
};

struct census {
  struct known *known;
  size_t count;
};

static struct known *find(const struct census *c, LLVMValueRef function)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->known[i].function == function)
      return &c->known[i];
  return NULL;
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool is_main(LLVMValueRef function)
{
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), "main") == 0;
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function)
{
  return LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == function;
}

static bool is_run_by_lanes(LLVMValueRef user)
{
  size_t length;
  return LLVMIsACallInst(user) != NULL && LLVMIsAFunction(LLVMGetCalledValue(user)) != NULL &&
         strcmp(LLVMGetValueName2(LLVMGetCalledValue(user), &length), "vx_run") == 0;
}

/* Whether code outside the module may call it: it has an external name, or its address is taken. */
static bool is_open(LLVMValueRef function)
{
  if (LLVMGetLinkage(function) != LLVMInternalLinkage && LLVMGetLinkage(function) != LLVMPrivateLinkage)
    return true;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    if (!is_call_of(LLVMGetUser(use), function))
      return true;
  return false;
}

/* Whether its only use is to be run on all lanes with one argument. */
static bool is_only_run(LLVMValueRef function)
{
  if (LLVMGetLinkage(function) != LLVMInternalLinkage)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    if (!is_run_by_lanes(LLVMGetUser(use)))
      return false;
  return true;
}

/* Sets a flag of a function and of all its callees. */
static void follow(const struct census *c, struct known *k, bool host)
{
  bool *flag = host ? &k->host : &k->lanes;
  if (*flag)
    return;
  *flag = true;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      struct known *callee = LLVMIsACallInst(i) != NULL ? find(c, LLVMGetCalledValue(i)) : NULL;
      if (callee != NULL)
        follow(c, callee, host);
    }
}

static void find_kernels(const struct sl_tool *tool, const struct census *c, const char *list)
{
  const LLVMValueRef used = LLVMGetNamedGlobal(tool->module, list);
  const LLVMValueRef names = used != NULL ? LLVMGetInitializer(used) : NULL;
  for (int i = 0; names != NULL && i < LLVMGetNumOperands(names); i++) {
    struct known *k = find(c, LLVMGetOperand(names, (unsigned)i));
    if (k != NULL)
      k->kernel = true;
  }
}

static struct census take_census(const struct sl_tool *tool)
{
  struct census c = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    c.count++;
  c.known = sl_room(c.count, sizeof *c.known);
  c.count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(tool->module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !has_attribute(f, "naked"))
      c.known[c.count++].function = f;
  find_kernels(tool, &c, "llvm.used");
  find_kernels(tool, &c, "llvm.compiler.used");
  return c;
}

/* Whether the function uses vortex.h's warp control: TMC, SPLIT, JOIN, PRED, with function 0 behind their number. */
static bool has_marks_by_hand(LLVMValueRef function)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      const char *text = sl_assembly_of(i), *control = text ? strstr(text, ".insn r 0x0B, ") : NULL;
      const char *number = control ? control + strlen(".insn r 0x0B, ") : NULL;
      if (number != NULL && *number != '\0' && strchr("0235", *number) != NULL && strncmp(number + 1, ", 0,", 4) == 0)
        return true;
    }
  return false;
}

static bool is_to_be_marked(const struct sl_tool *tool, const struct known *k)
{
  if (tool->kind == SL_MARKS_LEVELS)
    return k->lanes && !k->host;
  return k->lanes && !has_marks_by_hand(k->function);
}

/* Returns the functions to annotate; the caller frees them. On Vortex these are all that lanes may run, except those
 * with manual annotations. On SIMTight these are the functions that only kernels call: the host CPU faults on
 * annotations, and lanes compute correctly without them. */
static struct sl_marked_function *sl_lane_functions(const struct sl_tool *tool, size_t *count)
{
  const struct census c = take_census(tool);
  const bool vortex = tool->kind == SL_MARKS_VORTEX;
  for (size_t i = 0; i < c.count; i++) {
    struct known *k = &c.known[i];
    if (k->kernel || (vortex && !is_main(k->function) && is_open(k->function)))
      follow(&c, k, false);
    else if (!vortex && is_open(k->function))
      follow(&c, k, true);
  }
  struct sl_marked_function *found = sl_room(c.count, sizeof *found);
  *count = 0;
  for (size_t i = 0; i < c.count; i++) {
    const struct known *k = &c.known[i];
    if (is_to_be_marked(tool, k))
      found[(*count)++] = (struct sl_marked_function){
          .function = k->function, .same_parameters = k->kernel || (vortex && is_only_run(k->function))};
  }
  free(c.known);
  return found;
}

/* Constructors and destructors. LLVM's C interface would list them in older sections (.ctors, .dtors), which the start
 * code does not read. */

enum { NO_PRIORITY = 65535 };

/* An entry is {priority, function, associated data}. */
static void list_one(const struct sl_tool *tool, LLVMValueRef entry, const char *section)
{
  char name[40];
  const LLVMValueRef function = LLVMGetOperand(entry, 1);
  const unsigned long long priority = LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0));
  const LLVMValueRef place = LLVMAddGlobal(tool->module, LLVMTypeOf(function), "");
  LLVMSetInitializer(place, function);
  LLVMSetLinkage(place, LLVMPrivateLinkage);
  LLVMSetAlignment(place, 4);
  snprintf(name, sizeof name, priority == NO_PRIORITY ? "%s" : "%s.%05llu", section, priority);
  LLVMSetSection(place, name);
}

static void list_all(const struct sl_tool *tool, const char *global, const char *section)
{
  const LLVMValueRef list = LLVMGetNamedGlobal(tool->module, global);
  const LLVMValueRef entries = list != NULL ? LLVMGetInitializer(list) : NULL;
  for (int i = 0; entries != NULL && i < LLVMGetNumOperands(entries); i++)
    list_one(tool, LLVMGetOperand(entries, (unsigned)i), section);
  if (list != NULL)
    LLVMDeleteGlobal(list);
}

/* Lists the module's functions in .init_array and .fini_array, by priority. Must run after all passes. */
static void sl_list_constructors(const struct sl_tool *tool)
{
  list_all(tool, "llvm.global_ctors", ".init_array");
  list_all(tool, "llvm.global_dtors", ".fini_array");
}

static bool compile(struct sl_tool *tool, const char *input, const char *output, enum sl_marks_output kind)
{
  if (!sl_open_module(tool, input) || !sl_waits_keep(tool) || !sl_run_passes(tool, "default<O2>"))
    return false;
  size_t count;
  struct sl_marked_function *functions = sl_lane_functions(tool, &count);
  const bool marked = sl_annotate(tool, functions, count);
  free(functions);
  sl_list_constructors(tool);
  return marked && sl_write_code(tool, output, kind);
}

int main(int argc, char **argv)
{
  static const char *const kinds[] = {[SL_MARKS_VORTEX] = "vortex", [SL_MARKS_LEVELS] = "simt"};
  static const char *const outputs[] = {[SL_MARKS_ASSEMBLY] = "-S", [SL_MARKS_BITCODE] = "-emit-llvm"};
  enum sl_marks_output output = SL_MARKS_BITCODE;
  const bool warns = argc > 1 && strcmp(argv[argc - 1], "--warn-waits") == 0;
  argc -= warns;
  while (output > SL_MARKS_OBJECT && (argc != 5 || strcmp(argv[1], outputs[output]) != 0))
    output--;
  const int chosen = output != SL_MARKS_OBJECT;
  char **words = argv + 1 + chosen;
  const bool lanes = argc == 4 + chosen && strcmp(words[0], "its") == 0;
  struct sl_tool tool = {.kind = SL_MARKS_VORTEX, .warns_of_waits = warns, .lane_barriers = lanes};
  while (argc == 4 + chosen && !lanes && tool.kind <= SL_MARKS_LEVELS && strcmp(words[0], kinds[tool.kind]) != 0)
    tool.kind++;
  if (argc != 4 + chosen || tool.kind > SL_MARKS_LEVELS) {
    fprintf(stderr, "usage: simtlab-marks [-S|-emit-llvm] vortex|its|simt INPUT.bc OUTPUT [--warn-waits]\n"
                    "Bitcode of a C or C++ file to an object, assembly or bitcode with convergence marks; simtlab cc\n"
                    "--marks=auto runs this.\n");
    return 2;
  }
  const bool done = compile(&tool, words[1], words[2], output);
  sl_close_module(&tool);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
