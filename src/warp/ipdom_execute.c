#include "warp/ipdom_execute.h"

#include "isa/fp_lanes.h"
#include "warp/extensions/extension_csr.h"
#include "warp/ipdom_access.h"
#include "warp/ipdom_control.h"
#include "warp/ipdom_csr.h"

static enum sl_ipdom_effect jump(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                 uint32_t target)
{
  if (sl_ipdom_insn(w, target) == NULL)
    return sl_ipdom_fault(w, warp, ex, SL_FAULT_JUMP, target);
  w->warp[warp].pc = target;
  ex->jumped = true;
  return SL_IPDOM_NOTHING;
}

/* One lane decides for all, so the other lanes compute wrong values from here on. Records the first such pc. */
static void note_disagreement(struct sl_ipdom_warps *w, uint32_t pc)
{
  if (w->s.disagreed_at == 0)
    w->s.disagreed_at = pc;
}

/* The last active lane decides for all lanes. */
static enum sl_ipdom_effect branch(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const sl_lanes taken = w->ops->execute[in->op](sl_ipdom_registers(w, warp), in, ex->active, ex->pc, w->spec.lanes);
  if (taken != 0 && taken != ex->active) {
    if (w->spec.divergent_branch_faults)
      return sl_ipdom_fault(w, warp, ex, SL_FAULT_DIVERGENT_BRANCH, ex->pc + in->imm);
    note_disagreement(w, ex->pc);
  }
  return taken >> sl_highest(ex->active) & 1 ? jump(w, warp, ex, ex->pc + in->imm) : SL_IPDOM_NOTHING;
}

static bool all_have(const uint32_t *lane, sl_lanes active, uint32_t value)
{
  for (sl_lanes rest = active; rest; rest &= rest - 1)
    if (lane[sl_lowest(rest)] != value)
      return false;
  return true;
}

static enum sl_ipdom_effect jump_and_link(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t *lane = sl_ipdom_register(w, warp, in->rs1), base = lane[sl_highest(ex->active)];
  if (in->kind == SL_KIND_JALR && !all_have(lane, ex->active, base))
    note_disagreement(w, ex->pc);
  const uint32_t target = in->kind == SL_KIND_JAL ? ex->pc + in->imm : (base + in->imm) & ~1u;
  const enum sl_ipdom_effect effect = jump(w, warp, ex, target);
  if (effect == SL_IPDOM_NOTHING && in->rd != 0)
    w->ops->broadcast(sl_ipdom_register(w, warp, in->rd), sl_next(ex->insn, ex->pc), ex->active, w->spec.lanes);
  return effect;
}

static enum sl_ipdom_effect compute_float(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  uint32_t raised = 0;
  if (!sl_fp_execute_warp(w->fp, sl_ipdom_registers(w, warp), ex->insn, ex->active, w->spec.lanes,
                          p->fcsr >> SL_FCSR_FLAG_BITS, &raised))
    return sl_ipdom_fault(w, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, ex->pc);
  p->fcsr |= raised;
  return SL_IPDOM_NOTHING;
}

enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  ex->jumped = false;
  ex->local = ex->io = 0;
  if (__builtin_expect(sl_ipdom_code_stored(w), 0)) {
    const uint32_t writer = sl_ipdom_overwrote(w, ex);
    if (writer != 0)
      return sl_ipdom_fault(w, warp, ex, SL_FAULT_OVERWRITTEN, writer);
  }
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
    if (in->rd != 0)
      w->ops->execute[in->op](sl_ipdom_registers(w, warp), in, ex->active, ex->pc, w->spec.lanes);
    return SL_IPDOM_NOTHING;
  case SL_KIND_FPU:
  case SL_KIND_FPX: return compute_float(w, warp, ex);
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
  case SL_KIND_LRSC: return sl_ipdom_access(w, warp, ex) ? SL_IPDOM_NOTHING : SL_IPDOM_FAULTS;
  case SL_KIND_BRANCH: return branch(w, warp, ex);
  case SL_KIND_JAL:
  case SL_KIND_JALR: return jump_and_link(w, warp, ex);
  case SL_KIND_CSR:
    if (__builtin_expect(sl_extension_has_csr(w, in->csr), 0))
      return sl_extension_access(w, warp, ex) ? SL_IPDOM_NOTHING : SL_IPDOM_FAULTS;
    return sl_ipdom_csr_access(w, warp, ex) ? SL_IPDOM_NOTHING : sl_ipdom_fault(w, warp, ex, SL_FAULT_CSR, in->csr);
  case SL_KIND_WARP: return sl_ipdom_control(w, warp, ex);
  case SL_KIND_SYSTEM: /* there is no trap handler: hardware continues */
  case SL_KIND_FENCE: return SL_IPDOM_NOTHING;
  case SL_KIND_PUSH:
  case SL_KIND_POP:
  case SL_KIND_FLUSH:
  case SL_KIND_LINEAR:
  case SL_KIND_UNKNOWN: break;
  }
  return sl_ipdom_fault(w, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, ex->pc);
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
