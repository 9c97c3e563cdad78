#include "func/livelock/ipdom_livelock.h"

#include "func/extensions/extension_csr.h"
#include "func/ipdom_access.h"
#include "func/ipdom_csr.h"
#include "func/ipdom_execute.h"

struct context {
  struct sl_ipdom_warps *w;
  unsigned warp;
  uint32_t address[SL_MAX_LANES];
};

/* Returns true if the instruction reads or changes something that is neither the warp's state nor memory. */
static bool shows(const struct sl_ipdom_warps *w, const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && (sl_extension_has_csr(w, in->csr) || sl_ipdom_csr_is_counter(in->csr));
}

/* Lanes that a PRED switches on again when none of those that run stays in the loop. */
static sl_lanes held_by(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  if (ex->insn->op != SL_OP_PRED)
    return 0;
  const uint32_t mask = sl_ipdom_register(w, warp, ex->insn->rs2)[sl_highest(ex->active)];
  return (sl_lanes)(int64_t)(int32_t)mask & w->all & ~ex->active;
}

static bool writes_memory(const struct sl_insn *in)
{
  return in->kind == SL_KIND_STORE || in->kind == SL_KIND_AMO || (in->kind == SL_KIND_LRSC && in->op == SL_OP_SC);
}

static bool step(void *context, struct sl_trial_step *did)
{
  struct context *c = context;
  struct sl_ipdom_warps *w = c->w;
  struct sl_ipdom_warp *p = &w->warp[c->warp];
  struct sl_trial_writes writes = {.count = 0};
  struct sl_ipdom_execution ex = {
      .insn = sl_ipdom_insn(w, p->pc), .pc = p->pc, .active = p->mask, .address = c->address};
  const uint32_t scratch = w->s.mscratch;
  if (ex.insn == NULL || shows(w, ex.insn) || (writes_memory(ex.insn) && !sl_ipdom_targets(w, c->warp, &ex, &writes)))
    return false;
  did->held = held_by(w, c->warp, &ex);
  p->pc = sl_next(ex.insn, ex.pc);
  const enum sl_ipdom_effect effect = sl_ipdom_execute(w, c->warp, &ex);
  if (!sl_trial_unchanged(&writes) || effect != SL_IPDOM_NOTHING || w->s.mscratch != scratch)
    return false;
  did->lanes = ex.active;
  did->pc = ex.pc;
  did->back = ex.jumped && p->pc <= ex.pc;
  return true;
}

/* The state of an extension that takes part in the warp's instructions is not part of a trial. */
static bool is_extended(const struct sl_ipdom_warps *w, unsigned warp)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->engaged(w->extension[i].state, warp))
      return true;
  return false;
}

static bool spins(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, struct sl_spin *spin)
{
  struct context context = {.w = w, .warp = warp};
  struct sl_trial trial = {.context = &context, .step = step};
  struct sl_ipdom_warp *p = &w->warp[warp];
  struct sl_store_log *log = w->log;
  const uint32_t next = p->pc;
  if (is_extended(w, warp))
    return false;
  p->pc = pc;
  w->log = NULL;
  sl_trial_add(&trial, p, sizeof *p);
  sl_trial_add(&trial, sl_ipdom_registers(w, warp), w->warp_words * sizeof *w->x);
  sl_trial_add(&trial, &w->reserved[warp << w->lane_bits], w->spec.lanes * sizeof *w->reserved);
  sl_trial_keep(&trial, &w->s, sizeof w->s);
  sl_trial_keep(&trial, &w->fault, sizeof w->fault);
  const bool result = sl_trial_spins(&trial, spin);
  w->log = log;
  p->pc = next;
  return result;
}

/* Whether lanes wait for those that spin. */
static bool blocks(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_spin *spin)
{
  sl_lanes lanes[SL_MAX_LANES], all = spin->held;
  uint32_t pc[SL_MAX_LANES];
  for (unsigned i = w->convergence->places(&w->warp[warp], lanes, pc); i-- > 0;)
    all |= lanes[i];
  return (all & ~spin->lanes) != 0;
}

bool sl_ipdom_spins(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, struct sl_fault *fault)
{
  struct sl_spin spin;
  if (!spins(w, warp, pc, &spin))
    return false;
  const bool better = blocks(w, warp, &spin);
  if (fault->kind == SL_FAULT_NONE || (better && !fault->blocks))
    *fault = (struct sl_fault){.kind = SL_FAULT_LIVELOCK,
                               .warp = (int)sl_ipdom_global(w, warp),
                               .lanes = spin.lanes,
                               .pc = spin.pc,
                               .insn = *sl_ipdom_insn(w, spin.pc),
                               .blocks = better,
                               .held = spin.held,
                               .held_pc = spin.held_pc};
  return true;
}
