#include "marks/lane_functions.h"

#include <stdlib.h>
#include <string.h>

#include "marks/lane_values.h"
#include "marks/room.h"

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

/* Whether the function uses vortex.h's warp control: TMC, SPLIT, JOIN, PRED. */
static bool has_marks_by_hand(LLVMValueRef function)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      const char *text = sl_assembly_of(i), *control = text ? strstr(text, ".insn r 0x0B, ") : NULL;
      if (control != NULL && strchr("0235", control[strlen(".insn r 0x0B, ")]) != NULL)
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

struct sl_lane_function *sl_lane_functions(const struct sl_tool *tool, size_t *count)
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
  struct sl_lane_function *found = sl_room(c.count, sizeof *found);
  *count = 0;
  for (size_t i = 0; i < c.count; i++) {
    const struct known *k = &c.known[i];
    if (is_to_be_marked(tool, k))
      found[(*count)++] = (struct sl_lane_function){
          .function = k->function, .same_parameters = k->kernel || (vortex && is_only_run(k->function))};
  }
  free(c.known);
  return found;
}
