#include "func/ipdom_control.h"

static const char what_there_is[] =
    "Vortex executes rv32imf_zicsr and its warp control, with atomics=true also rv32a; see the key encoding";
static const char what_there_is_in_64_bits[] =
    "64-bit words are those of docs/explanation/machines/vortex64.md; a key sets the number of registers";

enum sl_ipdom_effect sl_ipdom_fault(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                    enum sl_fault_kind kind, uint32_t address)
{
  w->fault = (struct sl_fault){.kind = kind,
                               .warp = (int)sl_ipdom_global(w, warp),
                               .lanes = ex->active,
                               .pc = ex->pc,
                               .address = address,
                               .insn = *ex->insn,
                               .detail = kind != SL_FAULT_UNKNOWN_INSTRUCTION ? NULL
                                         : ex->insn->isa == SL_ISA_WIDE64     ? what_there_is_in_64_bits
                                                                              : what_there_is};
  return SL_IPDOM_FAULTS;
}

/* The value of a register in the last active lane. */
static uint32_t last(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex, unsigned reg)
{
  return sl_ipdom_register(w, warp, reg)[sl_highest(ex->active)];
}

/* The active lanes whose rs1 is a true predicate. */
static sl_lanes predicate(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const uint32_t *p = sl_ipdom_register(w, warp, ex->insn->rs1);
  const uint32_t bits = w->spec.encoding == SL_ENCODING_2 ? 1 : UINT32_MAX;
  sl_lanes set = 0;
  for (unsigned lane = 0; lane < w->spec.lanes; lane++)
    set |= (sl_lanes)((p[lane] & bits) != 0) << lane;
  return set & ex->active;
}

/* The mask in a register. Lanes above 31, which no published core has, copy lane 31, so -1 is all lanes. */
static sl_lanes given_mask(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                           unsigned reg)
{
  return (sl_lanes)(int64_t)(int32_t)last(w, warp, ex, reg);
}

/* The convergence scheme executes a mark. The warp's pc is behind it. */
static enum sl_ipdom_effect mark(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                 enum sl_mark_kind kind, sl_lanes lanes, sl_lanes others)
{
  const struct sl_mark mark = {kind, lanes & w->all, others & w->all, w->spec.ipdom_entries};
  switch (w->convergence->mark(&w->warp[warp], 0, &mark)) {
  case SL_MARKED: return SL_IPDOM_NOTHING;
  case SL_MARKED_JUMPED: ex->jumped = true; return SL_IPDOM_NOTHING;
  case SL_MARKED_ENDS: return SL_IPDOM_ENDS;
  case SL_MARKED_FULL: return sl_ipdom_fault(w, warp, ex, SL_FAULT_IPDOM_OVERFLOW, w->spec.ipdom_entries);
  case SL_MARKED_EMPTY: break;
  }
  return sl_ipdom_fault(w, warp, ex, SL_FAULT_IPDOM_UNDERFLOW, 0);
}

static enum sl_ipdom_effect split(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t token = w->warp[warp].depth;
  const sl_lanes set = predicate(w, warp, ex), negated = ex->active & ~set;
  const sl_lanes yes = sl_negates(in) && !w->spec.negate_ignored ? negated : set, no = ex->active & ~yes;
  if (yes != 0 && no != 0) {
    const sl_lanes first = sl_count(yes) >= sl_count(no) ? yes : no;
    const enum sl_ipdom_effect effect = mark(w, warp, ex, SL_MARK_SPLIT, first, ex->active & ~first);
    if (effect == SL_IPDOM_FAULTS)
      return effect;
  }
  if (in->rd != 0)
    w->ops->broadcast(sl_ipdom_register(w, warp, in->rd), token, ex->active, w->spec.lanes);
  return SL_IPDOM_NOTHING;
}

static enum sl_ipdom_effect split_1(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const sl_lanes yes = predicate(w, warp, ex), first = yes != 0 ? yes : ex->active;
  return mark(w, warp, ex, SL_MARK_SPLIT, first, ex->active & ~first);
}

static enum sl_ipdom_effect pop(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  return mark(w, warp, ex, SL_MARK_JOIN, ex->active, 0);
}

static enum sl_ipdom_effect join(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const uint32_t token = last(w, warp, ex, ex->insn->rs1), depth = w->warp[warp].depth;
  if (token == depth)
    return SL_IPDOM_NOTHING;
  if (token > depth)
    return sl_ipdom_fault(w, warp, ex, SL_FAULT_JOIN_TOKEN, token);
  return pop(w, warp, ex);
}

static enum sl_ipdom_effect pred(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const sl_lanes set = predicate(w, warp, ex), stay = sl_negates(ex->insn) ? ex->active & ~set : set;
  return mark(w, warp, ex, SL_MARK_PREDICATE, stay, given_mask(w, warp, ex, ex->insn->rs2));
}

static enum sl_ipdom_effect spawn(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const uint32_t count = last(w, warp, ex, ex->insn->rs1);
  ex->count = count < w->spec.warps ? count : w->spec.warps;
  ex->target = last(w, warp, ex, ex->insn->rs2);
  if (ex->count > 1 && sl_ipdom_insn(w, ex->target) == NULL)
    return sl_ipdom_fault(w, warp, ex, SL_FAULT_JUMP, ex->target);
  return SL_IPDOM_SPAWNS;
}

static enum sl_ipdom_effect barrier(const struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  ex->barrier = last(w, warp, ex, ex->insn->rs1);
  ex->count = last(w, warp, ex, ex->insn->rs2);
  return SL_IPDOM_ARRIVES;
}

/* rd = rs1 != 0 ? rs2 : rs3 */
static enum sl_ipdom_effect move_conditionally(const struct sl_ipdom_warps *w, unsigned warp,
                                               const struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t *a = sl_ipdom_register(w, warp, in->rs1), *b = sl_ipdom_register(w, warp, in->rs2);
  const uint32_t *c = sl_ipdom_register(w, warp, in->rs3);
  uint32_t *d = sl_ipdom_register(w, warp, in->rd);
  for (sl_lanes rest = in->rd != 0 ? ex->active : 0; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    d[lane] = a[lane] != 0 ? b[lane] : c[lane];
  }
  return SL_IPDOM_NOTHING;
}

enum sl_ipdom_effect sl_ipdom_control(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  switch (ex->insn->op) {
  case SL_OP_TMC:
  case SL_OP_TMC_1: return mark(w, warp, ex, SL_MARK_MASK, given_mask(w, warp, ex, ex->insn->rs1), 0);
  case SL_OP_WSPAWN:
  case SL_OP_WSPAWN_1: return spawn(w, warp, ex);
  case SL_OP_SPLIT: return split(w, warp, ex);
  case SL_OP_SPLIT_1: return split_1(w, warp, ex);
  case SL_OP_JOIN: return join(w, warp, ex);
  case SL_OP_JOIN_1: return pop(w, warp, ex);
  case SL_OP_BAR:
  case SL_OP_BAR_1: return barrier(w, warp, ex);
  case SL_OP_PRED: return pred(w, warp, ex);
  case SL_OP_PRED_1: return mark(w, warp, ex, SL_MARK_PREDICATE, predicate(w, warp, ex), ex->active);
  case SL_OP_CMOV_1: return move_conditionally(w, warp, ex);
  default: return SL_IPDOM_NOTHING; /* prefetch has no architectural effect */
  }
}
