#include "compiler/reconverge/passes.h"

#include <stdio.h>
#include <stdlib.h>

struct placing {
  const struct sl_tool *tool;
  struct sl_flow flow;
  LLVMValueRef function;
  unsigned *tagged, count; /* the tagged branches, and their number */
};

enum { LANE_BARRIERS = 8 }; /* of a warp */

static bool splits(const struct placing *p)
{
  return p->tool->kind == SL_MARKS_VORTEX && !p->tool->lane_barriers;
}

/* The lanes enter a statement or loop, and leave it. The barrier is that of its depth, so that lanes at a deeper one
 * never wait for lanes at a higher one. */
static void enter(const struct placing *p, unsigned number)
{
  if (p->tool->lane_barriers && number < LANE_BARRIERS)
    sl_assembly_barrier(p->tool, number, false);
  else if (!p->tool->lane_barriers)
    sl_assembly_push(p->tool);
}

static void leave(const struct placing *p, unsigned number)
{
  if (p->tool->lane_barriers && number < LANE_BARRIERS)
    sl_assembly_barrier(p->tool, number, true);
  else if (!p->tool->lane_barriers)
    sl_assembly_pop(p->tool);
}

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
static void mark_statement(const struct placing *p, unsigned b, unsigned number)
{
  const unsigned end = p->flow.post_dominator[b];
  const LLVMValueRef branch = terminator(p, b);
  bool *inside = sl_room(p->flow.count + 1, sizeof *inside);
  struct sl_split split = {0};
  build_before(p, branch);
  if (splits(p)) {
    split = sl_assembly_split(p->tool, LLVMGetCondition(branch));
    branch_on(p, branch, split.condition, LLVMIntNE);
  } else
    enter(p, number);
  const LLVMBasicBlockRef meeting = block_before(p, p->flow.block[end]);
  if (splits(p))
    sl_assembly_join(p->tool, split.token);
  else
    leave(p, number);
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
static void raise_loop(const struct placing *p, unsigned b, unsigned before, unsigned number)
{
  const unsigned leaves = stays(p, b, 0), exit = p->flow.successors.item[p->flow.successors.begin[b] + leaves];
  build_before(p, terminator(p, before));
  enter(p, number);
  const LLVMBasicBlockRef block = block_before(p, p->flow.block[exit]);
  leave(p, number);
  redirect(p, b, leaves, exit, block);
}

static void mark_loop(const struct placing *p, unsigned b, unsigned number)
{
  const unsigned before = sl_preheader(&p->flow, p->flow.loop[b]);
  if (splits(p))
    predicate_loop(p, b, before);
  else
    raise_loop(p, b, before, number);
}

static void complain(const struct placing *p, LLVMValueRef branch)
{
  unsigned length = 0;
  size_t name_length;
  const char *file = LLVMGetDebugLocFilename(branch, &length);
  fprintf(stderr, "simtlab-marks: warning: %.*s:%u: in %s: a branch on which lanes may disagree could not be marked\n",
          (int)length, file ? file : "", LLVMGetDebugLocLine(branch), LLVMGetValueName2(p->function, &name_length));
}

static bool mark(const struct placing *p, unsigned b, unsigned number)
{
  switch (sl_nest_of(&p->flow, b)) {
  case SL_NEST_STATEMENT: mark_statement(p, b, number); return true;
  case SL_NEST_LOOP: mark_loop(p, b, number); return true;
  case SL_NEST_NONE: break;
  }
  complain(p, terminator(p, b));
  return false;
}

/* Whether the statement or loop of a tagged branch contains the block. */
static bool contains(const struct placing *p, unsigned branch, unsigned b)
{
  const struct sl_flow *flow = &p->flow;
  if (sl_nest_of(flow, branch) == SL_NEST_LOOP)
    return sl_flow_in_loop(flow, b, flow->loop[branch]);
  bool *inside = sl_room(flow->count + 1, sizeof *inside);
  for (unsigned e = flow->successors.begin[branch]; e < flow->successors.begin[branch + 1]; e++)
    sl_flow_reach(flow, flow->successors.item[e], flow->post_dominator[branch], inside);
  const bool found = inside[b];
  free(inside);
  return found;
}

/* Statements and loops around that of the branch. Barriers have no depth in functions that others call, whose lanes may
 * be at barriers of the caller. */
static unsigned depth_of(const struct placing *p, unsigned b)
{
  unsigned depth = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(p->function); use != NULL && p->tool->lane_barriers; use = LLVMGetNextUse(use))
    if (LLVMIsACallInst(LLVMGetUser(use)) != NULL)
      return LANE_BARRIERS;
  for (unsigned i = 0; i < p->count && p->tool->lane_barriers; i++)
    depth += p->tagged[i] != b && contains(p, p->tagged[i], b);
  return depth;
}

/* A branch precedes the blocks it dominates in reverse post-order. */
static unsigned sl_place_marks(const struct sl_tool *tool, LLVMValueRef function)
{
  struct placing p = {.tool = tool, .function = function};
  unsigned unmarked = 0;
  sl_flow_make(&p.flow, function);
  p.tagged = sl_room(p.flow.reached, sizeof *p.tagged);
  for (unsigned i = p.flow.reached; i-- > 0;) {
    const unsigned b = p.flow.order[i];
    if (b < p.flow.count && LLVMGetMetadata(terminator(&p, b), note_kind(tool)) != NULL)
      p.tagged[p.count++] = b;
  }
  unsigned *depth = sl_room(p.count, sizeof *depth);
  for (unsigned i = 0; i < p.count; i++)
    depth[i] = depth_of(&p, p.tagged[i]);
  for (unsigned i = 0; i < p.count; i++)
    unmarked += !mark(&p, p.tagged[i], depth[i]);
  free(depth);
  free(p.tagged);
  sl_flow_free(&p.flow);
  return unmarked;
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

static bool any(const struct sl_marked_function *function)
{
  return function->function != NULL;
}

static bool is_unnested(const struct sl_marked_function *function)
{
  return function->restructure;
}

static void find_unnested(const struct sl_tool *tool, struct sl_marked_function *f)
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

static void note(const struct sl_tool *tool, const struct sl_marked_function *f)
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

bool sl_annotate(const struct sl_tool *tool, struct sl_marked_function *functions, size_t count)
{
  for (size_t i = 0; i < count; i++)
    sl_selects_spell_out(tool, functions[i].function);
  if (!sl_run_passes_on(tool, tidying, functions, count, any))
    return false;
  for (size_t i = 0; i < count && tool->all_selects; i++) /* expanded divisions and conversions, switches */
    sl_selects_spell_out(tool, functions[i].function);
  for (size_t i = 0; i < count; i++)
    find_unnested(tool, &functions[i]);
  if (!sl_run_passes_on(tool, "mergereturn", functions, count, is_unnested) ||
      !sl_run_passes_on(tool, restructuring, functions, count, is_unnested))
    return false;
  for (size_t i = 0; i < count; i++)
    note(tool, &functions[i]);
  if (!sl_run_passes_on(tool, to_memory, functions, count, any))
    return false;
  for (size_t i = 0; i < count; i++)
    sl_place_marks(tool, functions[i].function);
  return sl_run_passes_on(tool, from_memory, functions, count, any);
}
