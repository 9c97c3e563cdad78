#include "func/warp_livelock.h"

#include "func/ipdom_execute.h"
#include "func/path_execute.h"

/* Describes a loop of a warp in *fault, unless a fault that says more is there: one of a warp whose other lanes wait
 * for the spinning ones. `warp`: its number over all cores. */
static void note(struct sl_fault *fault, unsigned warp, const struct sl_spin *spin, const struct sl_insn *insn,
                 bool lanes_wait)
{
  if (fault->kind == SL_FAULT_NONE || (lanes_wait && !fault->blocks))
    *fault = (struct sl_fault){.kind = SL_FAULT_LIVELOCK,
                               .warp = (int)warp,
                               .lanes = spin->lanes,
                               .pc = spin->pc,
                               .insn = *insn,
                               .blocks = lanes_wait,
                               .held = spin->held,
                               .held_pc = spin->held_pc};
}

static bool writes_memory(const struct sl_insn *in)
{
  return in->kind == SL_KIND_STORE || in->kind == SL_KIND_AMO || (in->kind == SL_KIND_LRSC && in->op == SL_OP_SC);
}

static bool accesses_memory(const struct sl_insn *in)
{
  return in->kind == SL_KIND_LOAD || in->kind == SL_KIND_LRSC || writes_memory(in);
}

/* ---- warps with paths -------------------------------------------------------------------------------------------- */

/* Returns true if the instruction has an effect outside the warp: output, or a change of the machine's state. */
static bool path_shows(const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && in->csr != SL_CSR_HART_ID && in->csr != SL_CSR_CLOSURE;
}

/* Notes the bytes that the active lanes will access. A load from the same addresses to no register finds them. False:
 * the access faults, or ends the trial. */
static bool look(const struct sl_path_step *step, const struct sl_execution *ex, struct sl_trial_memory *memory)
{
  struct sl_path_warps *t = step->warps;
  struct sl_request request;
  struct sl_insn load = *ex->insn;
  struct sl_execution looking = *ex;
  load.kind = SL_KIND_LOAD;
  load.op = SL_OP_LW;
  load.rd = 0;
  looking.insn = &load;
  if (step->addresses != NULL ? !step->addresses(step->context, ex, request.address)
                              : !sl_memory_access(t, step->warp, &looking, &request))
    return false;
  bool accepted = true;
  for (sl_lanes rest = ex->active; rest && accepted; rest &= rest - 1)
    accepted = sl_trial_access(memory, sl_memory_at(t->memory, request.address[sl_lowest(rest)]), ex->insn->width,
                               writes_memory(ex->insn));
  return accepted;
}

bool sl_path_trial_step(void *path_step, struct sl_trial_step *did)
{
  const struct sl_path_step *step = path_step;
  struct sl_execution ex;
  if (!step->fetch(step->context, &ex) || path_shows(ex.insn))
    return false;
  if (accesses_memory(ex.insn) && !look(step, &ex, did->memory))
    return false;
  if (!step->execute(step->context, &ex))
    return false;
  did->lanes = ex.active;
  did->pc = ex.pc;
  did->back = ex.jumped && (ex.insn->kind == SL_KIND_JALR || (int32_t)ex.insn->imm <= 0);
  return true;
}

void sl_path_trial_add(struct sl_trial *trial, struct sl_path_warps *t, unsigned warp)
{
  sl_trial_add(trial, sl_path_warps_registers(t, warp), (size_t)SL_REGISTERS * t->spec.lanes * sizeof *t->x);
  sl_trial_keep(trial, &t->fault, sizeof t->fault);
  if (t->waited != NULL)
    sl_trial_keep(trial, &t->waited[warp * SL_MAX_LANES], SL_MAX_LANES * sizeof *t->waited);
  if (t->reserved == NULL)
    return;
  sl_trial_add(trial, &t->reserved[warp << t->lane_bits], t->spec.lanes * sizeof *t->reserved);
  sl_trial_keep(trial, &t->s.global_atomics, sizeof t->s.global_atomics);
}

bool sl_path_livelock(const struct sl_path_warps *t, sl_warps running, sl_warps done, sl_path_spins *spins,
                      void *context, struct sl_fault *fault)
{
  struct sl_trial_memory *memory = sl_trial_memory_create();
  bool all = true;
  for (sl_warps rest = running; rest && all; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    struct sl_spin spin;
    all = spins(context, warp, memory, &spin);
    if (all && !(done >> warp & 1))
      note(fault, warp, &spin, &t->code.insn[sl_code_index(&t->code, spin.pc)], spin.lanes != t->all);
  }
  sl_trial_memory_free(memory);
  return all && fault->kind != SL_FAULT_NONE;
}

struct selection {
  struct sl_path_warps *t;
  unsigned warp, path; /* path: the selected one */
};

static bool fetch(void *context, struct sl_execution *ex)
{
  struct selection *s = context;
  return sl_path_warps_fetch(s->t, s->warp, &s->path, ex);
}

static bool execute(void *context, struct sl_execution *ex)
{
  const struct selection *s = context;
  struct sl_request request;
  return sl_path_execute(s->t, s->warp, s->path, ex, &request) != SL_EFFECT_FAULT;
}

/* The trial executes without timing. */
bool sl_path_warp_spins(struct sl_path_warps *t, unsigned warp, struct sl_trial_memory *memory, struct sl_spin *spin)
{
  const bool timing = t->s.timing;
  struct selection selection = {.t = t, .warp = warp};
  struct sl_path_step step = {.warps = t, .warp = warp, .context = &selection, .fetch = fetch, .execute = execute};
  struct sl_trial trial = {.memory = memory, .context = &step, .step = sl_path_trial_step};
  sl_trial_add(&trial, &t->paths[warp], sizeof t->paths[warp]);
  sl_path_trial_add(&trial, t, warp);
  t->s.timing = false;
  const bool spins = sl_trial_spins(&trial, spin);
  t->s.timing = timing;
  return spins;
}

/* ---- warps with an IPDOM stack ----------------------------------------------------------------------------------- */

struct ipdom_trial {
  struct sl_ipdom_warps *w;
  unsigned warp;
  uint32_t address[SL_MAX_LANES];
};

/* Returns true if the instruction reads or changes something that is neither the warp's state nor memory. */
static bool ipdom_shows(const struct sl_ipdom_warps *w, const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && (sl_extension_has_csr(w, in->csr) || sl_ipdom_csr_is_counter(in->csr));
}

/* Lanes that a PRED switches on again when none of those that run stays in the loop. */
static sl_lanes held_by(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  if (ex->insn->op != SL_OP_PRED || w->convergence->apart != NULL)
    return 0;
  const uint32_t mask = sl_ipdom_register(w, warp, ex->insn->rs2)[sl_highest(ex->active)];
  return (sl_lanes)(int64_t)(int32_t)mask & w->all & ~ex->active;
}

static bool ipdom_step(void *context, struct sl_trial_step *did)
{
  struct ipdom_trial *c = context;
  struct sl_ipdom_warps *w = c->w;
  struct sl_ipdom_warp *p = &w->warp[c->warp];
  if (w->spec.watchdog != 0)
    (void)sl_ipdom_await_progress(w, c->warp, false);
  struct sl_ipdom_execution ex = {
      .insn = sl_ipdom_insn(w, p->pc), .pc = p->pc, .active = p->mask, .address = c->address};
  const uint32_t scratch = w->s.mscratch;
  if (ex.insn == NULL || ipdom_shows(w, ex.insn) ||
      (accesses_memory(ex.insn) && !sl_ipdom_try_access(w, c->warp, &ex, did->memory)))
    return false;
  did->held = held_by(w, c->warp, &ex);
  p->pc = sl_next(ex.insn, ex.pc);
  if (sl_ipdom_execute(w, c->warp, &ex) != SL_IPDOM_NOTHING || w->s.mscratch != scratch)
    return false;
  did->lanes = ex.active;
  did->pc = ex.pc;
  did->back = ex.jumped && p->pc <= ex.pc;
  return true;
}

static bool spins(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, struct sl_trial_memory *memory,
                  struct sl_spin *spin)
{
  struct ipdom_trial context = {.w = w, .warp = warp};
  struct sl_trial trial = {.memory = memory, .context = &context, .step = ipdom_step};
  struct sl_ipdom_warp *p = &w->warp[warp];
  struct sl_store_log *log = w->log;
  const uint32_t next = p->pc;
  if (sl_ipdom_has_own_state(w, warp)) /* which is not part of a trial */
    return false;
  p->pc = pc;
  w->log = NULL;
  sl_trial_add(&trial, p, sizeof *p);
  sl_trial_add(&trial, sl_ipdom_registers(w, warp), w->warp_words * sizeof *w->x);
  sl_trial_add(&trial, &w->reserved[warp << w->lane_bits], w->spec.lanes * sizeof *w->reserved);
  sl_trial_keep(&trial, &w->s, sizeof w->s);
  sl_trial_keep(&trial, &w->fault, sizeof w->fault);
  if (w->waited != NULL)
    sl_trial_keep(&trial, &w->waited[warp * SL_MAX_LANES], SL_MAX_LANES * sizeof *w->waited);
  const bool result = sl_trial_spins(&trial, spin);
  w->log = log;
  p->pc = next;
  return result;
}

bool sl_ipdom_livelock(struct sl_ipdom_warps *w, sl_warps running,
                       uint32_t (*next_pc)(const void *context, unsigned warp), const void *context,
                       struct sl_trial_memory *memory, struct sl_fault *fault)
{
  for (sl_warps rest = running; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    struct sl_spin spin;
    if (!spins(w, warp, next_pc != NULL ? next_pc(context, warp) : w->warp[warp].pc, memory, &spin))
      return false;
    const bool lanes_wait =
        (spin.held & ~spin.lanes) != 0 || sl_lanes_at(w->spec.convergence, &w->warp[warp], ~spin.lanes).lanes != 0;
    note(fault, sl_ipdom_global(w, warp), &spin, sl_ipdom_insn(w, spin.pc), lanes_wait);
  }
  return true;
}
