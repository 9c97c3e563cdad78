#include "compiler/reconverge/flow.h"

#include <stdint.h>
#include <stdlib.h>

#include "compiler/reconverge/passes.h"

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
