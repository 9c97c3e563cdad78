#include "func/ipdom_execute.h"

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

static enum sl_ipdom_effect split(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t token = w->warp[warp].depth;
  const sl_lanes set = predicate(w, warp, ex), negated = ex->active & ~set;
  const sl_lanes yes = sl_negates(in) && !w->spec.negate_ignored ? negated : set, no = ex->active & ~yes;
  if (yes != 0 && no != 0) {
    const bool yes_first = w->spec.smaller_first ? sl_count(yes) <= sl_count(no) : sl_count(yes) >= sl_count(no);
    const sl_lanes first = yes_first ? yes : no;
    const enum sl_ipdom_effect effect = sl_ipdom_converge(w, warp, ex, SL_MARK_SPLIT, first, ex->active & ~first);
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
  return sl_ipdom_converge(w, warp, ex, SL_MARK_SPLIT, first, ex->active & ~first);
}

static enum sl_ipdom_effect pop(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  return sl_ipdom_converge(w, warp, ex, SL_MARK_JOIN, ex->active, 0);
}

static enum sl_ipdom_effect join(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const uint32_t token = last(w, warp, ex, ex->insn->rs1), depth = w->warp[warp].depth;
  if (token == depth)
    return SL_IPDOM_NOTHING;
  if (token > depth)
    return sl_ipdom_fault_of(w, warp, ex, SL_FAULT_JOIN_TOKEN, token);
  return pop(w, warp, ex);
}

static enum sl_ipdom_effect pred(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const sl_lanes set = predicate(w, warp, ex), stay = sl_negates(ex->insn) ? ex->active & ~set : set;
  return sl_ipdom_converge(w, warp, ex, SL_MARK_PREDICATE, stay, given_mask(w, warp, ex, ex->insn->rs2));
}

static enum sl_ipdom_effect spawn(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const uint32_t count = last(w, warp, ex, ex->insn->rs1);
  ex->count = count < w->spec.warps ? count : w->spec.warps;
  ex->target = last(w, warp, ex, ex->insn->rs2);
  if (ex->count > 1 && sl_ipdom_insn(w, ex->target) == NULL)
    return sl_ipdom_fault_of(w, warp, ex, SL_FAULT_JUMP, ex->target);
  return SL_IPDOM_SPAWNS;
}

static enum sl_ipdom_effect barrier(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  if (w->convergence->apart != NULL && last(w, warp, ex, ex->insn->rs2) > 1 && w->convergence->apart(&w->warp[warp]))
    return sl_ipdom_unsupported(
        w, warp, ex,
        "a barrier counts warps, but other lanes of this warp have not arrived; what the hardware does "
        "then is not defined");
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

/* Executes an instruction of kind SL_KIND_WARP. */
static enum sl_ipdom_effect control(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  switch (ex->insn->op) {
  case SL_OP_TMC:
  case SL_OP_TMC_1: return sl_ipdom_converge(w, warp, ex, SL_MARK_MASK, given_mask(w, warp, ex, ex->insn->rs1), 0);
  case SL_OP_WSPAWN:
  case SL_OP_WSPAWN_1: return spawn(w, warp, ex);
  case SL_OP_SPLIT: return split(w, warp, ex);
  case SL_OP_SPLIT_1: return split_1(w, warp, ex);
  case SL_OP_JOIN: return join(w, warp, ex);
  case SL_OP_JOIN_1: return pop(w, warp, ex);
  case SL_OP_BAR:
  case SL_OP_BAR_1: return barrier(w, warp, ex);
  case SL_OP_PRED: return pred(w, warp, ex);
  case SL_OP_PRED_1: return sl_ipdom_converge(w, warp, ex, SL_MARK_PREDICATE, predicate(w, warp, ex), ex->active);
  case SL_OP_YIELD: return sl_ipdom_yield(w, warp, ex);
  case SL_OP_SYNC_LANES: return sl_ipdom_sync_lanes(w, warp, ex);
  case SL_OP_BAR_ADD: return sl_ipdom_lane_barrier(w, warp, ex, SL_MARK_BARRIER);
  case SL_OP_BAR_WAIT: return sl_ipdom_lane_barrier(w, warp, ex, SL_MARK_WAIT);
  case SL_OP_CMOV_1: return move_conditionally(w, warp, ex);
  default: return SL_IPDOM_NOTHING; /* prefetch has no architectural effect */
  }
}

struct step {
  struct sl_ipdom_warps *w;
  unsigned warp;
  struct sl_ipdom_execution *ex;
};

SL_RV_BODY struct sl_rv_lanes lanes_of(const void *step)
{
  const struct step *s = step;
  return sl_ipdom_lanes(s->w, s->warp, s->ex);
}

SL_RV_BODY int fault(void *step, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  const struct step *s = step;
  (void)lanes;
  return (int)sl_ipdom_fault_of(s->w, s->warp, s->ex, kind, kind == SL_FAULT_UNKNOWN_INSTRUCTION ? s->ex->pc : address);
}

/* The warp's pc is behind the instruction already. */
SL_RV_BODY int next(void *step, bool wrote)
{
  (void)step, (void)wrote;
  return SL_IPDOM_NOTHING;
}

SL_RV_BODY bool outside(const void *step, uint32_t target)
{
  return sl_ipdom_insn(((const struct step *)step)->w, target) == NULL;
}

/* Each lane goes its own way. */
static __attribute__((noinline)) int part(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                          sl_lanes taken, uint32_t target)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  const uint32_t next = p->pc;
  if (taken != 0 && sl_ipdom_insn(w, target) == NULL)
    return (int)sl_ipdom_fault_of(w, warp, ex, SL_FAULT_JUMP, target);
  w->convergence->branch(p, 0, taken, target, next);
  ex->jumped = p->pc != next;
  return SL_IPDOM_NOTHING;
}

SL_RV_BODY int jump(void *step, uint32_t target)
{
  const struct step *s = step;
  if (__builtin_expect(s->w->lanes_branch, 0))
    return part(s->w, s->warp, s->ex, s->ex->active, target);
  s->w->warp[s->warp].pc = target;
  s->ex->jumped = true;
  return SL_IPDOM_NOTHING;
}

SL_RV_BODY int go(struct step *s, uint32_t target)
{
  return outside(s, target) ? fault(s, SL_FAULT_JUMP, s->ex->active, target) : jump(s, target);
}

/* One lane decides for all, so the other lanes compute wrong values from here on. Records the first such pc. */
static void note_disagreement(const struct step *s)
{
  if (s->w->s.disagreed_at == 0)
    s->w->s.disagreed_at = s->ex->pc;
}

/* The last active lane decides for all lanes. */
SL_RV_BODY int branch(void *step, sl_lanes taken, uint32_t target)
{
  struct step *s = step;
  if (__builtin_expect(s->w->lanes_branch, 0))
    return part(s->w, s->warp, s->ex, taken, target);
  if (taken != 0 && taken != s->ex->active) {
    if (s->w->spec.divergent_branch_faults)
      return fault(s, SL_FAULT_DIVERGENT_BRANCH, s->ex->active, target);
    note_disagreement(s);
  }
  return taken >> sl_highest(s->ex->active) & 1 ? go(s, target) : SL_IPDOM_NOTHING;
}

static int scatter(struct step *s, const struct sl_rv_lanes *l)
{
  uint32_t target[SL_MAX_LANES];
  for (sl_lanes rest = s->ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    target[lane] = sl_rv_target(l, lane);
    if (sl_ipdom_insn(s->w, target[lane]) == NULL)
      return (int)sl_ipdom_fault_of(s->w, s->warp, s->ex, SL_FAULT_JUMP, target[lane]);
  }
  sl_rv_link(l);
  s->w->convergence->scatter(&s->w->warp[s->warp], 0, target);
  s->ex->jumped = true;
  return SL_IPDOM_NOTHING;
}

/* The last active lane decides for all lanes. */
static __attribute__((noinline)) int jump_to_last(struct sl_ipdom_warps *w, unsigned warp,
                                                  struct sl_ipdom_execution *ex)
{
  struct step s = {w, warp, ex};
  const struct sl_rv_lanes l = lanes_of(&s);
  const uint32_t target = sl_rv_target(&l, sl_highest(ex->active));
  if (w->lanes_branch)
    return scatter(&s, &l);
  if (sl_rv_lanes_to(&l, target) != ex->active)
    note_disagreement(&s);
  const int effect = go(&s, target);
  if (effect == SL_IPDOM_NOTHING)
    sl_rv_link(&l);
  return effect;
}

SL_RV_BODY int jump_indirect(void *step)
{
  const struct step *s = step;
  return jump_to_last(s->w, s->warp, s->ex);
}

SL_RV_BODY int memory(void *step)
{
  const struct step *s = step;
  return sl_ipdom_access(s->w, s->warp, s->ex) ? SL_IPDOM_NOTHING : SL_IPDOM_FAULTS;
}

SL_RV_BODY int csr(void *step)
{
  struct step *s = step;
  const unsigned number = s->ex->insn->csr;
  if (__builtin_expect(!sl_ipdom_csr_holds(s->w, s->ex), 0))
    return (int)sl_ipdom_unsupported(
        s->w, s->warp, s->ex,
        "the mask of active lanes does not fit into a register of 32 bits, because lanes above "
        "31 are not all as lane 31; use at most 32 lanes");
  if (__builtin_expect(sl_extension_has_csr(s->w, number), 0))
    return sl_extension_access(s->w, s->warp, s->ex) ? SL_IPDOM_NOTHING : SL_IPDOM_FAULTS;
  return sl_ipdom_csr_access(s->w, s->warp, s->ex) ? SL_IPDOM_NOTHING : fault(s, SL_FAULT_CSR, s->ex->active, number);
}

SL_RV_BODY int special(void *step)
{
  struct step *s = step;
  if (s->ex->insn->kind != SL_KIND_WARP)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->ex->active, 0);
  return (int)control(s->w, s->warp, s->ex);
}

static __attribute__((noinline)) int float_of(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  if (sl_rv_float(&l, w->fp, &w->warp[warp].fcsr))
    return SL_IPDOM_NOTHING;
  return (int)sl_ipdom_fault_of(w, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, ex->pc);
}

SL_RV_BODY int floating(void *step)
{
  const struct step *s = step;
  return float_of(s->w, s->warp, s->ex);
}

static const struct sl_rv_rules rules = {
    .lanes = lanes_of,
    .floating = floating,
    .reserves = true,
    .traps = true, /* there is no trap handler: hardware continues */
    .next = next,
    .fault = fault,
    .outside = outside,
    .branch = branch,
    .jump = jump,
    .jump_indirect = jump_indirect,
    .access = memory,
    .csr = csr,
    .special = special,
};

enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  struct step s = {.w = w, .warp = warp, .ex = ex};
  ex->jumped = false;
  ex->local = ex->io = 0;
  if (__builtin_expect(sl_ipdom_code_stored(w), 0)) {
    const uint32_t writer = sl_ipdom_overwrote(w, ex);
    if (writer != 0)
      return sl_ipdom_fault_of(w, warp, ex, SL_FAULT_OVERWRITTEN, writer);
  }
  const enum sl_ipdom_effect effect = (enum sl_ipdom_effect)sl_rv_execute(&rules, &s, (enum sl_kind)ex->insn->kind);
  return SL_CHECKS && w->waited != NULL ? sl_ipdom_check_waiting(w, warp, ex, effect) : effect;
}

bool sl_stalls_fetch(const struct sl_insn *in)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_BRANCH:
  case SL_KIND_JAL:
  case SL_KIND_JALR:
  case SL_KIND_SYSTEM: return true;
  case SL_KIND_WARP: return in->op != SL_OP_CMOV_1 && in->op != SL_OP_PREFETCH_1;
  case SL_KIND_CSR: return in->csr >= SL_CSR_FFLAGS && in->csr <= SL_CSR_FCSR;
  default: return false;
  }
}

bool sl_ipdom_schedule(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                       struct sl_extended *extended)
{
  const uint32_t pc = w->warp[warp].pc;
  w->warp[warp].pc = sl_next(insn, pc);
  for (unsigned rest = w->schedules; rest; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    const struct sl_extension *e = &w->extension[i];
    const char *wrong = e->kind->schedule(e->state, w, warp, pc, insn, mask, &extended->note[i]);
    if (wrong == NULL)
      continue;
    sl_extension_illegal(w, warp, insn, pc, *mask, wrong);
    return false;
  }
  return true;
}

bool sl_ipdom_rename(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc, sl_lanes active,
                     struct sl_extended *extended)
{
  extended->renamed = true;
  extended->copy = *insn;
  for (unsigned rest = w->renames; rest; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    const struct sl_extension *e = &w->extension[i];
    const char *wrong =
        e->kind->rename(e->state, warp, pc, active, &extended->copy, &extended->note[i], &extended->replaced);
    if (wrong == NULL)
      continue;
    if (w->fault.kind == SL_FAULT_NONE)
      sl_extension_illegal(w, warp, insn, pc, active, wrong);
    w->fault.detail = wrong;
    return false;
  }
  return true;
}

static const char *finish(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                          const struct sl_insn *original, unsigned splits)
{
  const char *wrong = NULL;
  for (unsigned i = 0; i < w->extensions && wrong == NULL; i++) {
    const struct sl_extension *e = &w->extension[i];
    if (e->kind->finish != NULL)
      wrong = e->kind->finish(e->state, w, warp, ex, original, splits, &ex->extended->note[i]);
  }
  return wrong;
}

enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *original = ex->insn;
  const unsigned splits = w->warp[warp].depth;
  enum sl_ipdom_effect effect = SL_IPDOM_NOTHING;
  ex->jumped = false;
  ex->local = ex->io = 0;
  if (ex->extended->renamed)
    ex->insn = &ex->extended->copy;
  if (ex->active != 0)
    effect = sl_ipdom_execute(w, warp, ex);
  ex->insn = original;
  if (effect == SL_IPDOM_FAULTS)
    return effect;
  if (!ex->extended->replaced && !ex->jumped && w->warp[warp].depth >= splits)
    return effect;
  const char *wrong = finish(w, warp, ex, original, splits);
  if (wrong == NULL)
    return effect;
  if (w->fault.kind == SL_FAULT_NONE)
    sl_extension_illegal(w, warp, original, ex->pc, ex->active, wrong);
  return SL_IPDOM_FAULTS;
}

bool sl_extensions_ready(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->ready != NULL &&
        !w->extension[i].kind->ready(w->extension[i].state, warp, &extended->note[i]))
      return false;
  return true;
}

void sl_extensions_issue(const struct sl_ipdom_warps *w, unsigned warp, struct sl_extended *extended)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->issue != NULL)
      w->extension[i].kind->issue(w->extension[i].state, warp, &extended->note[i]);
}

void sl_extensions_commit(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended,
                          sl_lanes active)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->commit != NULL)
      w->extension[i].kind->commit(w->extension[i].state, warp, &extended->note[i], active);
}

bool sl_extensions_open(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, bool alone,
                        const struct sl_extended *extended)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->open != NULL && w->extension[i].kind->owns(csr))
      return w->extension[i].kind->open(w->extension[i].state, warp, csr, alone, &extended->note[i]);
  return true;
}
