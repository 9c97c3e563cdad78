#include "compiler/reconverge/nesting.h"

#include <stdlib.h>

#include "compiler/reconverge/room.h"

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
