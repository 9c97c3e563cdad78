#include "marks/placing.h"

#include <stdio.h>
#include <stdlib.h>

#include "marks/assembly.h"
#include "marks/nesting.h"
#include "marks/room.h"

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

unsigned sl_note_branches(const struct sl_tool *tool, const struct sl_flow *flow,
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
unsigned sl_place_marks(const struct sl_tool *tool, LLVMValueRef function)
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
