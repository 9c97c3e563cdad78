#include "func/ipdom_votes.h"

void sl_ipdom_vote(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex, sl_lanes set)
{
  const uint32_t value = ex->insn->op == SL_OP_VOTE_ALL   ? set == ex->active
                         : ex->insn->op == SL_OP_VOTE_ANY ? set != 0
                         : ex->insn->op == SL_OP_VOTE_UNI ? set == 0 || set == ex->active
                                                          : (uint32_t)set;
  if (ex->insn->rd != 0)
    w->ops->broadcast(sl_ipdom_register(w, warp, ex->insn->rd), value, ex->active, w->spec.lanes);
}

/* The lane that a lane reads. Operand: distance or number in bits 0 to 5, last lane of a group in 6 to 11, mask of the
 * groups in 12 to 17. */
static unsigned source_lane(unsigned op, unsigned lane, uint32_t operand)
{
  enum { SIX = 63 };
  const int by = (int)(operand & SIX), mask = (int)(operand >> 12 & SIX), me = (int)lane;
  const int first = me & mask, last = first | ((int)(operand >> 6 & SIX) & ~mask);
  const int from = op == SL_OP_SHFL_UP     ? me - by
                   : op == SL_OP_SHFL_DOWN ? me + by
                   : op == SL_OP_SHFL_BFLY ? me ^ by
                                           : first | (by & ~mask);
  return from >= (op == SL_OP_SHFL_UP ? first : 0) && (op == SL_OP_SHFL_UP || from <= last) ? (unsigned)from : lane;
}

void sl_ipdom_shuffle(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const uint32_t *value = sl_ipdom_register(w, warp, ex->insn->rs1), *by = sl_ipdom_register(w, warp, ex->insn->rs2);
  uint32_t *d = sl_ipdom_register(w, warp, ex->insn->rd), result[SL_MAX_LANES];
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest), from = source_lane(ex->insn->op, lane, by[lane]);
    result[lane] = value[from < w->spec.lanes ? from : lane];
  }
  for (sl_lanes rest = ex->insn->rd != 0 ? ex->active : 0; rest; rest &= rest - 1)
    d[sl_lowest(rest)] = result[sl_lowest(rest)];
}
