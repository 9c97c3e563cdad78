/* simtlab-marks: reconvergence pass. It compiles LLVM bitcode of a C or C++ file to an object, assembly, or bitcode for
 * llc, and inserts reconvergence annotations. `simtlab cc --marks=auto` runs it. It is a separate program because LLVM
 * terminates the process on fatal errors. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reconverge/divergence.h"
#include "compiler/reconverge/flow.h"
#include "compiler/reconverge/passes.h"
#include "compiler/reconverge/selects.h"
#include "compiler/reconverge/tool.h"
#include "compiler/reconverge/waits.h"

/* Places annotations around divergent, nested branches, inner ones first. */

struct placing {
  const struct sl_tool *tool;
  struct sl_flow flow;
  LLVMValueRef function;
};

static unsigned note_kind(const struct sl_tool *tool)
{
  static const char name[] = "simt.differs";
  return LLVMGetMDKindIDInContext(tool->context, name, sizeof name - 1);
}

/* Tags the divergent branches of a function for sl_place_marks, which runs after PHIs have been moved to memory.
 * Returns their number. */
static unsigned sl_note_branches(const struct sl_tool *tool, const struct sl_flow *flow,
                                 const struct sl_divergence *divergence)
{
  unsigned count = 0;
  const LLVMValueRef empty = LLVMMetadataAsValue(tool->context, LLVMMDNodeInContext2(tool->context, NULL, 0));
  for (unsigned b = 0; b < flow->count; b++)
    if (divergence->split[b]) {
      LLVMSetMetadata(LLVMGetBasicBlockTerminator(flow->block[b]), note_kind(tool), empty);
      count++;
    }
  return count;
}

static LLVMValueRef terminator(const struct placing *p, unsigned block)
{
  return LLVMGetBasicBlockTerminator(p->flow.block[block]);
}

static void build_before(const struct placing *p, LLVMValueRef instruction)
{
  LLVMPositionBuilderBefore(p->tool->builder, instruction);
}

/* A block of its own on the way to `end`, with a branch there, behind which the builder is not yet. */
static LLVMBasicBlockRef block_before(const struct placing *p, LLVMBasicBlockRef end)
{
  const LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(p->tool->context, end, "");
  LLVMPositionBuilderAtEnd(p->tool->builder, block);
  LLVMValueRef branch = LLVMBuildBr(p->tool->builder, end);
  build_before(p, branch);
  return block;
}

/* Redirects an edge to `end` to `block`. The edge may pass blocks that were inserted before `end`. */
static void redirect(const struct placing *p, unsigned from, unsigned i, unsigned end, LLVMBasicBlockRef block)
{
  LLVMValueRef branch = terminator(p, from);
  const LLVMBasicBlockRef goal = p->flow.block[end];
  LLVMBasicBlockRef to = LLVMGetSuccessor(branch, i);
  while (to != goal && to != block) {
    branch = LLVMGetBasicBlockTerminator(to);
    i = 0;
    to = LLVMGetSuccessor(branch, i);
  }
  if (to == goal)
    LLVMSetSuccessor(branch, i, block);
}

static void redirect_all(const struct placing *p, unsigned from, unsigned end, LLVMBasicBlockRef block)
{
  const struct sl_edges *s = &p->flow.successors;
  for (unsigned e = s->begin[from]; e < s->begin[from + 1]; e++)
    if (s->item[e] == end)
      redirect(p, from, e - s->begin[from], end, block);
}

/* Converts a word that is not 0 where the condition holds to the branch's condition. */
static void branch_on(const struct placing *p, LLVMValueRef branch, LLVMValueRef word, LLVMIntPredicate predicate)
{
  LLVMSetCondition(branch, LLVMBuildICmp(p->tool->builder, predicate, word, LLVMConstNull(LLVMTypeOf(word)), ""));
}

/* Marks the statement from the branch to its post-dominator. All edges from the statement first pass a new block before
 * the post-dominator. */
static void mark_statement(const struct placing *p, unsigned b)
{
  const unsigned end = p->flow.post_dominator[b];
  const LLVMValueRef branch = terminator(p, b);
  bool *inside = sl_room(p->flow.count + 1, sizeof *inside);
  struct sl_split split = {0};
  build_before(p, branch);
  if (p->tool->kind == SL_MARKS_VORTEX) {
    split = sl_assembly_split(p->tool, LLVMGetCondition(branch));
    branch_on(p, branch, split.condition, LLVMIntNE);
  } else
    sl_assembly_push(p->tool);
  const LLVMBasicBlockRef meeting = block_before(p, p->flow.block[end]);
  if (p->tool->kind == SL_MARKS_VORTEX)
    sl_assembly_join(p->tool, split.token);
  else
    sl_assembly_pop(p->tool);
  for (unsigned e = p->flow.successors.begin[b]; e < p->flow.successors.begin[b + 1]; e++)
    sl_flow_reach(&p->flow, p->flow.successors.item[e], end, inside);
  inside[b] = true;
  for (unsigned from = 0; from < p->flow.count; from++)
    if (inside[from])
      redirect_all(p, from, end, meeting);
  free(inside);
}

static bool stays(const struct placing *p, unsigned b, unsigned successor)
{
  return sl_flow_in_loop(&p->flow, p->flow.successors.item[p->flow.successors.begin[b] + successor], p->flow.loop[b]);
}

/* Makes a predicated loop. The active lanes are those from before the loop, and in each iteration those that
 * continue. */
static void predicate_loop(const struct placing *p, unsigned b, unsigned before)
{
  const LLVMValueRef branch = terminator(p, b);
  const bool first_stays = stays(p, b, 0);
  build_before(p, terminator(p, before));
  const LLVMValueRef lanes = sl_assembly_active(p->tool);
  build_before(p, branch);
  LLVMValueRef goes_on = LLVMGetCondition(branch);
  if (!first_stays)
    goes_on = LLVMBuildNot(p->tool->builder, goes_on, "");
  branch_on(p, branch, sl_assembly_predicate(p->tool, goes_on, lanes), first_stays ? LLVMIntNE : LLVMIntEQ);
}

/* Gives the loop its own level, which each lane leaves after the loop. */
static void raise_loop(const struct placing *p, unsigned b, unsigned before)
{
  const unsigned leaves = stays(p, b, 0), exit = p->flow.successors.item[p->flow.successors.begin[b] + leaves];
  build_before(p, terminator(p, before));
  sl_assembly_push(p->tool);
  const LLVMBasicBlockRef block = block_before(p, p->flow.block[exit]);
  sl_assembly_pop(p->tool);
  redirect(p, b, leaves, exit, block);
}

static void mark_loop(const struct placing *p, unsigned b)
{
  const unsigned before = sl_preheader(&p->flow, p->flow.loop[b]);
  if (p->tool->kind == SL_MARKS_VORTEX)
    predicate_loop(p, b, before);
  else
    raise_loop(p, b, before);
}

static void complain(const struct placing *p, LLVMValueRef branch)
{
  unsigned length = 0;
  size_t name_length;
  const char *file = LLVMGetDebugLocFilename(branch, &length);
  fprintf(stderr, "simtlab-marks: warning: %.*s:%u: in %s: a branch on which lanes may disagree could not be marked\n",
          (int)length, file ? file : "", LLVMGetDebugLocLine(branch), LLVMGetValueName2(p->function, &name_length));
}

static bool mark(const struct placing *p, unsigned b)
{
  switch (sl_nest_of(&p->flow, b)) {
  case SL_NEST_STATEMENT: mark_statement(p, b); return true;
  case SL_NEST_LOOP: mark_loop(p, b); return true;
  case SL_NEST_NONE: break;
  }
  complain(p, terminator(p, b));
  return false;
}

/* A branch precedes the blocks it dominates in reverse post-order. */
static unsigned sl_place_marks(const struct sl_tool *tool, LLVMValueRef function)
{
  struct placing p = {.tool = tool, .function = function};
  unsigned unmarked = 0;
  sl_flow_make(&p.flow, function);
  for (unsigned i = p.flow.reached; i-- > 0;) {
    const unsigned b = p.flow.order[i];
    if (b < p.flow.count && LLVMGetMetadata(terminator(&p, b), note_kind(tool)) != NULL)
      unmarked += !mark(&p, b);
  }
  sl_flow_free(&p.flow);
  return unmarked;
}

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

/* Returns the functions to annotate; the caller frees them. On Vortex these are all that lanes may run, except those
 * with manual annotations. On SIMTight these are the functions that only kernels call: the host CPU faults on
 * annotations, and lanes compute correctly without them. */
static struct sl_lane_function *sl_lane_functions(const struct sl_tool *tool, size_t *count)
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

/* Gives every path through a function an end, which restructuring requires. */

static void build_return(const struct sl_tool *tool, LLVMValueRef function)
{
  const LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(tool->builder);
  else
    LLVMBuildRet(tool->builder, LLVMConstNull(type));
}

static bool ends_with(LLVMBasicBlockRef block, LLVMOpcode opcode)
{
  return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block)) == opcode;
}

static void return_where_unreachable(const struct sl_tool *tool, LLVMValueRef function)
{
  bool returns = false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    returns |= ends_with(b, LLVMRet);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL && returns; b = LLVMGetNextBasicBlock(b))
    if (ends_with(b, LLVMUnreachable)) {
      const LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      LLVMPositionBuilderBefore(tool->builder, end);
      build_return(tool, function);
      LLVMInstructionEraseFromParent(end);
    }
}

/* Returns the back edge to a header of a loop without exit: an unconditional branch, or NULL. */
static LLVMValueRef way_back(const struct sl_flow *flow, unsigned header)
{
  for (unsigned e = flow->predecessors.begin[header]; e < flow->predecessors.begin[header + 1]; e++) {
    const unsigned from = flow->predecessors.item[e];
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(flow->block[from]);
    if (sl_flow_in_loop(flow, from, header) && LLVMGetNumSuccessors(branch) == 1)
      return branch;
  }
  return NULL;
}

static void add_exit(const struct sl_tool *tool, LLVMValueRef function, LLVMValueRef branch)
{
  const LLVMBasicBlockRef header = LLVMGetSuccessor(branch, 0);
  const LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(tool->context, function, "");
  const LLVMValueRef never = LLVMConstNull(LLVMInt32TypeInContext(tool->context));
  LLVMPositionBuilderAtEnd(tool->builder, exit);
  build_return(tool, function);
  LLVMPositionBuilderBefore(tool->builder, branch);
  const LLVMValueRef leaves = LLVMBuildICmp(tool->builder, LLVMIntNE, sl_assembly_opaque(tool, never), never, "");
  LLVMBuildCondBr(tool->builder, leaves, exit, header);
  LLVMInstructionEraseFromParent(branch);
}

/* At an unreachable end, the function returns. An infinite loop gets an exit that is never taken, which is opaque to
 * the compiler. */
static void sl_give_endings(const struct sl_tool *tool, LLVMValueRef function)
{
  struct sl_flow flow;
  return_where_unreachable(tool, function);
  sl_flow_make(&flow, function);
  for (unsigned i = 0; i < flow.reached; i++) {
    const unsigned b = flow.order[i];
    const LLVMValueRef back =
        b < flow.count && flow.post_dominator[b] == SL_NO_BLOCK && flow.loop[b] == b ? way_back(&flow, b) : NULL;
    if (back != NULL)
      add_exit(tool, function, back);
  }
  sl_flow_free(&flow);
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

/* Short branches become selects, switches become branches, loops get one entry and one back edge. */
static const char tidying[] =
    "function(expand-large-div-rem,expand-large-fp-convert,scalarizer,instsimplify,simplifycfg,"
    "lower-switch),mergereturn,function(loop-simplify,lcssa)";
/* Every branch and every loop gets one end. */
static const char restructuring[] =
    "function(fix-irreducible,loop-simplify,lcssa,unify-loop-exits,structurizecfg,early-cse,instsimplify,loop-simplify,"
    "lcssa)";
static const char to_memory[] = "function(reg2mem)";
static const char from_memory[] = "function(mem2reg,early-cse,dce)";

struct lane_functions {
  struct sl_lane_function *item;
  size_t count;
};

static bool any(const struct sl_lane_function *function)
{
  return function->function != NULL;
}

static bool is_unnested(const struct sl_lane_function *function)
{
  return function->restructure;
}

static void find_unnested(const struct sl_tool *tool, struct sl_lane_function *f)
{
  struct sl_flow flow;
  struct sl_divergence divergence;
  sl_flow_make(&flow, f->function);
  sl_divergence_find(&divergence, &flow, f->function, f->same_parameters);
  for (unsigned b = 0; b < flow.count; b++)
    f->restructure |= divergence.split[b] && sl_nest_of(&flow, b) == SL_NEST_NONE;
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
  if (f->restructure)
    sl_give_endings(tool, f->function);
}

static void note(const struct sl_tool *tool, const struct sl_lane_function *f)
{
  struct sl_flow flow;
  struct sl_divergence divergence;
  sl_flow_make(&flow, f->function);
  sl_divergence_find(&divergence, &flow, f->function, f->same_parameters);
  sl_note_branches(tool, &flow, &divergence);
  sl_selects_replace(tool, &divergence, f->function);
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
}

static bool insert_marks(const struct sl_tool *tool, const struct lane_functions *f)
{
  for (size_t i = 0; i < f->count; i++)
    sl_selects_spell_out(tool, f->item[i].function);
  if (!sl_run_passes_on(tool, tidying, f->item, f->count, any))
    return false;
  for (size_t i = 0; i < f->count; i++)
    find_unnested(tool, &f->item[i]);
  if (!sl_run_passes_on(tool, "mergereturn", f->item, f->count, is_unnested) ||
      !sl_run_passes_on(tool, restructuring, f->item, f->count, is_unnested))
    return false;
  for (size_t i = 0; i < f->count; i++)
    note(tool, &f->item[i]);
  if (!sl_run_passes_on(tool, to_memory, f->item, f->count, any))
    return false;
  for (size_t i = 0; i < f->count; i++)
    sl_place_marks(tool, f->item[i].function);
  return sl_run_passes_on(tool, from_memory, f->item, f->count, any);
}

static bool compile(struct sl_tool *tool, const char *input, const char *output, enum sl_marks_output kind)
{
  if (!sl_open_module(tool, input) || !sl_waits_keep(tool) || !sl_run_passes(tool, "default<O2>"))
    return false;
  struct lane_functions functions = {0};
  functions.item = sl_lane_functions(tool, &functions.count);
  const bool marked = insert_marks(tool, &functions);
  free(functions.item);
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
  struct sl_tool tool = {.kind = SL_MARKS_VORTEX, .warns_of_waits = warns};
  while (argc == 4 + chosen && tool.kind <= SL_MARKS_LEVELS && strcmp(words[0], kinds[tool.kind]) != 0)
    tool.kind++;
  if (argc != 4 + chosen || tool.kind > SL_MARKS_LEVELS) {
    fprintf(stderr, "usage: simtlab-marks [-S|-emit-llvm] vortex|simt INPUT.bc OUTPUT [--warn-waits]\n"
                    "Bitcode of a C or C++ file to an object, assembly or bitcode with convergence marks; simtlab cc\n"
                    "--marks=auto runs this.\n");
    return 2;
  }
  const bool done = compile(&tool, words[1], words[2], output);
  sl_close_module(&tool);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
