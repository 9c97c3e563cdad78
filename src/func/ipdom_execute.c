#include "func/ipdom_execute.h"

#include "func/extensions/extension_csr.h"
#include "func/ipdom_access.h"
#include "func/ipdom_control.h"
#include "func/ipdom_csr.h"

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
  return (int)sl_ipdom_fault(s->w, s->warp, s->ex, kind, kind == SL_FAULT_UNKNOWN_INSTRUCTION ? s->ex->pc : address);
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

SL_RV_BODY int jump(void *step, uint32_t target)
{
  const struct step *s = step;
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
  if (taken != 0 && taken != s->ex->active) {
    if (s->w->spec.divergent_branch_faults)
      return fault(s, SL_FAULT_DIVERGENT_BRANCH, s->ex->active, target);
    note_disagreement(s);
  }
  return taken >> sl_highest(s->ex->active) & 1 ? go(s, target) : SL_IPDOM_NOTHING;
}

/* The last active lane decides for all lanes. */
static __attribute__((noinline)) int jump_to_last(struct sl_ipdom_warps *w, unsigned warp,
                                                  struct sl_ipdom_execution *ex)
{
  struct step s = {w, warp, ex};
  const struct sl_rv_lanes l = lanes_of(&s);
  const uint32_t target = sl_rv_target(&l, sl_highest(ex->active));
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
  if (__builtin_expect(sl_extension_has_csr(s->w, number), 0))
    return sl_extension_access(s->w, s->warp, s->ex) ? SL_IPDOM_NOTHING : SL_IPDOM_FAULTS;
  return sl_ipdom_csr_access(s->w, s->warp, s->ex) ? SL_IPDOM_NOTHING : fault(s, SL_FAULT_CSR, s->ex->active, number);
}

SL_RV_BODY int special(void *step)
{
  struct step *s = step;
  if (s->ex->insn->kind != SL_KIND_WARP)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->ex->active, 0);
  return (int)sl_ipdom_control(s->w, s->warp, s->ex);
}

static __attribute__((noinline)) int float_of(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  if (sl_rv_float(&l, w->fp, &w->warp[warp].fcsr))
    return SL_IPDOM_NOTHING;
  return (int)sl_ipdom_fault(w, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, ex->pc);
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
      return sl_ipdom_fault(w, warp, ex, SL_FAULT_OVERWRITTEN, writer);
  }
  return (enum sl_ipdom_effect)sl_rv_execute(&rules, &s, (enum sl_kind)ex->insn->kind);
}

bool sl_stalls_fetch(const struct sl_insn *in)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_BRANCH:
  case SL_KIND_JAL:
  case SL_KIND_JALR:
  case SL_KIND_SYSTEM: return true;
  case SL_KIND_WARP: return in->op != SL_OP_CMOV_1 && in->op != SL_OP_PREFETCH_1;
  case SL_KIND_CSR: return in->csr >= SL_IPDOM_CSR_FFLAGS && in->csr <= SL_IPDOM_CSR_FCSR;
  default: return false;
  }
}
