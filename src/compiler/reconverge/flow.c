#include "compiler/reconverge/passes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *sl_assembly_of(LLVMValueRef instruction)
{
  size_t length;
  if (LLVMIsACallInst(instruction) == NULL || LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) == NULL)
    return NULL;
  return LLVMGetInlineAsmAsmString(LLVMGetCalledValue(instruction), &length);
}

const char *sl_intrinsic_of(LLVMValueRef instruction)
{
  static const char prefix[] = "llvm.";
  if (LLVMIsACallInst(instruction) == NULL)
    return NULL;
  const LLVMValueRef callee = LLVMGetCalledValue(instruction);
  size_t length;
  const char *name = LLVMIsAFunction(callee) != NULL ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : NULL;
}

static bool reads_one_of(const char *text, const char *const *registers)
{
  for (; *registers != NULL; registers++)
    if (strstr(text, *registers) != NULL)
      return true;
  return false;
}

/* Whether the assembly is a vote (runtime/simt_lanes.h, vortex.h): opcode 0x0B, numbers 0 to 3, function 1. */
static bool is_vote(const char *text)
{
  static const char start[] = ".insn r 0x0B, ", end[] = ", 1,";
  const char *number = text + sizeof start - 1;
  return strncmp(text, start, sizeof start - 1) == 0 && *number >= '0' && *number <= '3' &&
         strncmp(number + 1, end, sizeof end - 1) == 0;
}

/* CSRs are per warp or per core, except the numbers of thread and lane. A vote gives all lanes that are active together
 * the same value. Any other assembly with side effects, like a shuffle, may produce any value. A remark in
 * runtime/simt.h identifies a word that is warp-uniform. */
static enum sl_lanes_get assembly_gets(LLVMValueRef call, const char *text)
{
  static const char *const own[] = {"0xF14", "0xf14", "mhartid", "0xCC0", "0xcc0", NULL};
  if (strstr(text, "# the same for all lanes") != NULL)
    return SL_LANES_GET_SAME;
  if (is_vote(text))
    return SL_LANES_GET_SAME;
  if (strncmp(text, "csr", 3) == 0)
    return reads_one_of(text, own) ? SL_LANES_GET_OTHERS : SL_LANES_GET_SAME;
  return LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(call)) ? SL_LANES_GET_OTHERS : SL_LANES_BY_OPERANDS;
}

static enum sl_lanes_get intrinsic_gets(const char *name)
{
  static const char *const own[] = {"threadlocal.address", "frameaddress", "stacksave", "va_", NULL};
  for (unsigned i = 0; own[i] != NULL; i++)
    if (strncmp(name, own[i], strlen(own[i])) == 0)
      return SL_LANES_GET_OTHERS;
  return SL_LANES_BY_OPERANDS;
}

enum sl_lanes_get sl_lanes_get(LLVMValueRef instruction)
{
  const char *text;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg: return SL_LANES_GET_OTHERS;
  case LLVMCall:
    if ((text = sl_assembly_of(instruction)) != NULL)
      return assembly_gets(instruction, text);
    text = sl_intrinsic_of(instruction);
    return text != NULL ? intrinsic_gets(text) : SL_LANES_GET_OTHERS;
  default: return SL_LANES_BY_OPERANDS;
  }
}

/* Blocks sorted by address, with their numbers: LLVM's blocks have no numbers. */
struct numbered {
  LLVMBasicBlockRef block;
  unsigned number;
};

static int compare(const void *a, const void *b)
{
  const char *x = (const char *)((const struct numbered *)a)->block,
             *y = (const char *)((const struct numbered *)b)->block;
  return x < y ? -1 : x > y;
}

static unsigned successors_of(LLVMBasicBlockRef block)
{
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static bool ends(const struct sl_flow *flow, unsigned b, LLVMOpcode end)
{
  return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(flow->block[b])) == end;
}

/* Successors in the order of the terminator; blocks that end the function have the function's end as successor. */
static void find_successors(struct sl_flow *flow)
{
  struct numbered *map = sl_room(flow->count, sizeof *map);
  size_t edges = 1;
  LLVMOpcode end = LLVMUnreachable;
  for (unsigned b = 0; b < flow->count; b++) {
    map[b] = (struct numbered){flow->block[b], b};
    edges += successors_of(flow->block[b]) + 1;
    if (ends(flow, b, LLVMRet))
      end = LLVMRet;
  }
  qsort(map, flow->count, sizeof *map, compare);
  struct sl_edges *s = &flow->successors;
  s->begin = sl_room(flow->count + 2, sizeof *s->begin);
  s->item = sl_room(edges, sizeof *s->item);
  unsigned at = 0;
  for (unsigned b = 0; b < flow->count; b++) {
    s->begin[b] = at;
    for (unsigned i = 0; i < successors_of(flow->block[b]); i++) {
      const struct numbered key = {LLVMGetSuccessor(LLVMGetBasicBlockTerminator(flow->block[b]), i), 0};
      const struct numbered *found = bsearch(&key, map, flow->count, sizeof *map, compare);
      s->item[at++] = found->number;
    }
    if (ends(flow, b, end))
      s->item[at++] = flow->count;
  }
  s->begin[flow->count] = s->begin[flow->count + 1] = at;
  free(map);
}

/* Reverses the edges. */
static void find_predecessors(struct sl_flow *flow)
{
  const struct sl_edges *s = &flow->successors;
  struct sl_edges *p = &flow->predecessors;
  const unsigned nodes = flow->count + 1, edges = s->begin[nodes];
  p->begin = sl_room(nodes + 2, sizeof *p->begin);
  p->item = sl_room(edges + 1, sizeof *p->item);
  for (unsigned e = 0; e < edges; e++)
    p->begin[s->item[e] + 2]++;
  for (unsigned b = 2; b < nodes + 2; b++)
    p->begin[b] += p->begin[b - 1];
  for (unsigned b = 0; b < nodes; b++)
    for (unsigned e = s->begin[b]; e < s->begin[b + 1]; e++)
      p->item[p->begin[s->item[e] + 1]++] = b;
}

/* Orders the nodes reachable from the root in reverse post-order; returns their number. */
static unsigned reverse_post_order(const struct sl_edges *edges, unsigned nodes, unsigned root, unsigned *order)
{
  unsigned *next = sl_room(nodes, sizeof *next), *stack = sl_room(nodes, sizeof *stack);
  bool *seen = sl_room(nodes, sizeof *seen);
  unsigned depth = 0, left = nodes;
  stack[depth++] = root;
  next[root] = edges->begin[root];
  seen[root] = true;
  while (depth > 0) {
    const unsigned b = stack[depth - 1];
    if (next[b] == edges->begin[b + 1]) {
      order[--left] = b;
      depth--;
      continue;
    }
    const unsigned to = edges->item[next[b]++];
    if (!seen[to]) {
      seen[to] = true;
      next[to] = edges->begin[to];
      stack[depth++] = to;
    }
  }
  for (unsigned i = left; i < nodes; i++)
    order[i - left] = order[i];
  free(next);
  free(stack);
  free(seen);
  return nodes - left;
}

/* Immediate dominators by iteration over the reverse post-order (Cooper, Harvey, Kennedy 2001). `in`: the reversed
 * edges. */
static unsigned *dominators(const struct sl_edges *in, unsigned nodes, const unsigned *order, unsigned reached)
{
  unsigned *rank = sl_room(nodes, sizeof *rank), *idom = sl_room(nodes, sizeof *idom);
  for (unsigned b = 0; b < nodes; b++)
    rank[b] = idom[b] = SL_NO_BLOCK;
  for (unsigned i = 0; i < reached; i++)
    rank[order[i]] = i;
  idom[order[0]] = order[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 1; i < reached; i++) {
      unsigned best = SL_NO_BLOCK;
      for (unsigned e = in->begin[order[i]]; e < in->begin[order[i] + 1]; e++) {
        unsigned other = in->item[e];
        if (idom[other] == SL_NO_BLOCK)
          continue;
        for (; best != SL_NO_BLOCK && best != other;)
          if (rank[best] > rank[other])
            best = idom[best];
          else
            other = idom[other];
        best = other;
      }
      changed |= idom[order[i]] != best;
      idom[order[i]] = best;
    }
  }
  idom[order[0]] = SL_NO_BLOCK;
  free(rank);
  return idom;
}

/* Marks the blocks that reach a latch without passing the header. */
static void mark_loop(struct sl_flow *flow, unsigned header, unsigned latch, unsigned *stack)
{
  unsigned depth = 0;
  if (flow->loop[latch] != header) {
    flow->loop[latch] = header;
    stack[depth++] = latch;
  }
  while (depth > 0) {
    const unsigned b = stack[--depth];
    for (unsigned e = flow->predecessors.begin[b]; b != header && e < flow->predecessors.begin[b + 1]; e++) {
      const unsigned from = flow->predecessors.item[e];
      if (flow->loop[from] != header) {
        flow->loop[from] = header;
        stack[depth++] = from;
      }
    }
  }
}

/* Visits outer loops first, so that inner ones overwrite their entries. */
static void find_loops(struct sl_flow *flow)
{
  const unsigned nodes = flow->count + 1;
  flow->loop = sl_room(nodes, sizeof *flow->loop);
  flow->outer = sl_room(nodes, sizeof *flow->outer);
  unsigned *stack = sl_room(nodes, sizeof *stack);
  for (unsigned b = 0; b < nodes; b++)
    flow->loop[b] = flow->outer[b] = SL_NO_BLOCK;
  for (unsigned i = 0; i < flow->reached; i++) {
    const unsigned header = flow->order[i], around = flow->loop[header];
    for (unsigned e = flow->predecessors.begin[header]; e < flow->predecessors.begin[header + 1]; e++)
      if (sl_flow_dominates(flow, header, flow->predecessors.item[e])) {
        if (flow->loop[header] != header)
          flow->outer[header] = around;
        flow->loop[header] = header;
        mark_loop(flow, header, flow->predecessors.item[e], stack);
      }
  }
  free(stack);
}

void sl_flow_make(struct sl_flow *flow, LLVMValueRef function)
{
  *flow = (struct sl_flow){.count = LLVMCountBasicBlocks(function)};
  const unsigned nodes = flow->count + 1;
  flow->block = sl_room(nodes, sizeof(LLVMBasicBlockRef));
  LLVMGetBasicBlocks(function, flow->block);
  find_successors(flow);
  find_predecessors(flow);
  flow->order = sl_room(nodes, sizeof *flow->order);
  flow->reached = reverse_post_order(&flow->successors, nodes, 0, flow->order);
  flow->dominator = dominators(&flow->predecessors, nodes, flow->order, flow->reached);
  unsigned *back = sl_room(nodes, sizeof *back);
  const unsigned from_end = reverse_post_order(&flow->predecessors, nodes, flow->count, back);
  flow->post_dominator = dominators(&flow->successors, nodes, back, from_end);
  free(back);
  find_loops(flow);
}

void sl_flow_free(struct sl_flow *flow)
{
  free(flow->block);
  free(flow->order);
  free(flow->successors.begin);
  free(flow->successors.item);
  free(flow->predecessors.begin);
  free(flow->predecessors.item);
  free(flow->dominator);
  free(flow->post_dominator);
  free(flow->loop);
  free(flow->outer);
}

bool sl_flow_dominates(const struct sl_flow *flow, unsigned above, unsigned below)
{
  while (below != above && below != SL_NO_BLOCK)
    below = flow->dominator[below];
  return below == above;
}

bool sl_flow_in_loop(const struct sl_flow *flow, unsigned block, unsigned header)
{
  unsigned loop = flow->loop[block];
  while (loop != header && loop != SL_NO_BLOCK)
    loop = flow->outer[loop];
  return loop == header;
}

void sl_flow_reach(const struct sl_flow *flow, unsigned from, unsigned stop, bool *in)
{
  if (from == stop || in[from])
    return;
  unsigned *stack = sl_room(flow->count + 1, sizeof *stack);
  unsigned depth = 0;
  stack[depth++] = from;
  in[from] = true;
  while (depth > 0) {
    const unsigned b = stack[--depth];
    for (unsigned e = flow->successors.begin[b]; e < flow->successors.begin[b + 1]; e++) {
      const unsigned to = flow->successors.item[e];
      if (to != stop && !in[to]) {
        in[to] = true;
        stack[depth++] = to;
      }
    }
  }
  free(stack);
}

/* ---- divergence -------------------------------------------------------------------------------------------------- */

static size_t place(const struct sl_divergence *d, LLVMValueRef value)
{
  const size_t mask = ((size_t)1 << d->bits) - 1;
  size_t at = (size_t)(((uintptr_t)value >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - d->bits));
  while (d->differing[at] != NULL && d->differing[at] != value)
    at = (at + 1) & mask;
  return at;
}

bool sl_differs(const struct sl_divergence *d, LLVMValueRef value)
{
  return d->differing[place(d, value)] != NULL;
}

static void add(struct sl_divergence *d, LLVMValueRef value);

static void grow(struct sl_divergence *d)
{
  struct sl_divergence old = *d;
  d->bits = old.bits ? old.bits + 1 : 6;
  d->differing = sl_room((size_t)1 << d->bits, sizeof *d->differing);
  d->count = 0;
  for (size_t i = 0; old.bits != 0 && i < (size_t)1 << old.bits; i++)
    if (old.differing[i] != NULL)
      add(d, old.differing[i]);
  free(old.differing);
}

static void add(struct sl_divergence *d, LLVMValueRef value)
{
  if (d->bits == 0 || 2 * d->count >= (size_t)1 << d->bits)
    grow(d);
  const size_t at = place(d, value);
  d->count += d->differing[at] == NULL;
  d->differing[at] = value;
}

static bool any_operand_differs(const struct sl_divergence *d, LLVMValueRef instruction)
{
  if (LLVMIsAPHINode(instruction) != NULL) {
    for (unsigned i = 0; i < LLVMCountIncoming(instruction); i++)
      if (sl_differs(d, LLVMGetIncomingValue(instruction, i)))
        return true;
    return false;
  }
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (sl_differs(d, LLVMGetOperand(instruction, (unsigned)i)))
      return true;
  return false;
}

static bool differs_now(const struct sl_divergence *d, LLVMValueRef instruction, bool meets)
{
  switch (sl_lanes_get(instruction)) {
  case SL_LANES_GET_SAME: return false;
  case SL_LANES_GET_OTHERS: return true;
  case SL_LANES_BY_OPERANDS: break;
  }
  return (meets && LLVMIsAPHINode(instruction) != NULL) || any_operand_differs(d, instruction);
}

static bool set(bool *flag)
{
  const bool changed = !*flag;
  *flag = true;
  return changed;
}

/* Lanes leave a loop by this branch, or by one that depends on it, in different iterations: all loop exits become merge
 * points. */
static bool spread_exits(struct sl_divergence *d, const struct sl_flow *flow, unsigned branch, unsigned end)
{
  bool changed = false;
  for (unsigned loop = flow->loop[branch]; loop != SL_NO_BLOCK; loop = flow->outer[loop]) {
    if (end < flow->count && sl_flow_in_loop(flow, end, loop))
      break;
    for (unsigned b = 0; b < flow->count; b++)
      for (unsigned e = flow->successors.begin[b]; sl_flow_in_loop(flow, b, loop) && e < flow->successors.begin[b + 1];
           e++)
        if (!sl_flow_in_loop(flow, flow->successors.item[e], loop))
          changed |= set(&d->meets[flow->successors.item[e]]);
  }
  return changed;
}

/* Lanes diverge from here to the post-dominator. They merge there, and at every block that both successors reach. */
static bool spread(struct sl_divergence *d, const struct sl_flow *flow, unsigned branch)
{
  const unsigned end = flow->post_dominator[branch], nodes = flow->count + 1;
  bool changed = end != SL_NO_BLOCK && set(&d->meets[end]);
  bool *before = sl_room(nodes, sizeof *before);
  for (unsigned e = flow->successors.begin[branch]; e < flow->successors.begin[branch + 1]; e++) {
    bool *now = sl_room(nodes, sizeof *now);
    sl_flow_reach(flow, flow->successors.item[e], end, now);
    for (unsigned b = 0; b < nodes; b++) {
      if (now[b] && before[b])
        changed |= set(&d->meets[b]);
      before[b] |= now[b];
    }
    free(now);
  }
  free(before);
  return spread_exits(d, flow, branch, end == SL_NO_BLOCK ? flow->count : end) || changed;
}

static bool branch_differs(const struct sl_divergence *d, LLVMValueRef terminator)
{
  return LLVMGetNumSuccessors(terminator) > 1 && sl_differs(d, LLVMGetOperand(terminator, 0));
}

static bool look_at_block(struct sl_divergence *d, const struct sl_flow *flow, unsigned b)
{
  bool changed = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(flow->block[b]); i != NULL; i = LLVMGetNextInstruction(i))
    if (!sl_differs(d, i) && differs_now(d, i, d->meets[b])) {
      add(d, i);
      changed = true;
    }
  if (!d->split[b] && branch_differs(d, LLVMGetBasicBlockTerminator(flow->block[b]))) {
    d->split[b] = true;
    spread(d, flow, b);
    changed = true;
  }
  return changed;
}

void sl_divergence_find(struct sl_divergence *d, const struct sl_flow *flow, LLVMValueRef function,
                        bool same_parameters)
{
  *d = (struct sl_divergence){.meets = sl_room(flow->count + 1, sizeof *d->meets),
                              .split = sl_room(flow->count + 1, sizeof *d->split)};
  grow(d);
  for (LLVMValueRef p = LLVMGetFirstParam(function); p != NULL && !same_parameters; p = LLVMGetNextParam(p))
    add(d, p);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < flow->reached; i++)
      if (flow->order[i] < flow->count)
        changed |= look_at_block(d, flow, flow->order[i]);
  }
}

void sl_divergence_free(struct sl_divergence *d)
{
  free(d->differing);
  free(d->meets);
  free(d->split);
}
