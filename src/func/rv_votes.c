#include "func/rv_execute.h"

enum { WORD = 32 /* lanes of a ballot */ };

/* The active lanes with a true predicate. */
static sl_lanes true_lanes(const struct sl_rv_lanes *l)
{
  const uint32_t *p = sl_rv_register(l, l->insn->rs1);
  sl_lanes set = 0;
  for (unsigned lane = 0; lane < l->lanes; lane++)
    set |= (sl_lanes)(p[lane] & 1) << lane;
  return set & l->active;
}

static uint32_t vote_of(const struct sl_rv_lanes *l, sl_lanes set)
{
  switch (l->insn->op) {
  case SL_OP_VOTE_ALL: return set == l->active;
  case SL_OP_VOTE_ANY: return set != 0;
  case SL_OP_VOTE_UNI: return set == 0 || set == l->active;
  case SL_OP_VOTE_HIGH: return (uint32_t)(set >> WORD);
  default: return (uint32_t)set;
  }
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

static void shuffle(const struct sl_rv_lanes *l)
{
  const uint32_t *value = sl_rv_register(l, l->insn->rs1), *by = sl_rv_register(l, l->insn->rs2);
  uint32_t *d = sl_rv_register(l, l->insn->rd), result[SL_MAX_LANES];
  for (sl_lanes rest = l->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest), from = source_lane(l->insn->op, lane, by[lane]);
    result[lane] = value[from < l->lanes ? from : lane];
  }
  for (sl_lanes rest = l->active; rest; rest &= rest - 1)
    d[sl_lowest(rest)] = result[sl_lowest(rest)];
}

sl_lanes sl_rv_vote(const struct sl_rv_lanes *l)
{
  if (l->insn->rd == 0)
    return 0;
  if (l->insn->op >= SL_OP_SHFL_UP && l->insn->op <= SL_OP_SHFL_IDX) {
    shuffle(l);
    return 0;
  }
  const sl_lanes set = true_lanes(l), lost = l->insn->op == SL_OP_VOTE_BALLOT ? set & ~sl_low_bits(WORD) : 0;
  if (lost == 0)
    l->ops->broadcast(sl_rv_register(l, l->insn->rd), vote_of(l, set), l->active, l->lanes);
  return lost;
}

sl_lanes sl_rv_awaited(const struct sl_rv_lanes *l)
{
  const uint32_t *low = sl_rv_register(l, l->insn->rs1), *high = sl_rv_register(l, l->insn->rs2);
  sl_lanes mask = 0;
  for (sl_lanes rest = l->active; rest; rest &= rest - 1)
    mask |= (sl_lanes)high[sl_lowest(rest)] << WORD | low[sl_lowest(rest)];
  return mask & sl_low_bits(l->lanes) & ~l->active;
}
