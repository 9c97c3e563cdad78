#include "func/livelock/path_livelock.h"

#include "func/path_access.h"
#include "func/path_csr.h"

/* Returns true if the instruction has an effect outside the warp: output, or a change of the machine's state. */
static bool shows(const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && in->csr != SL_CSR_HART_ID && in->csr != SL_CSR_CLOSURE;
}

/* Notes the bytes that a store or atomic of the active lanes will write. A load from the same addresses to no register
 * finds them. False: the access faults. */
static bool look(const struct sl_path_step *step, const struct sl_execution *ex, struct sl_trial_writes *writes)
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
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1)
    sl_trial_write(writes, sl_memory_at(t->memory, request.address[sl_lowest(rest)]), ex->insn->width);
  return true;
}

bool sl_path_trial_step(void *path_step, struct sl_trial_step *did)
{
  const struct sl_path_step *step = path_step;
  struct sl_trial_writes writes = {.count = 0};
  struct sl_execution ex;
  if (!step->fetch(step->context, &ex) || shows(ex.insn))
    return false;
  const bool stores = ex.insn->kind == SL_KIND_STORE || ex.insn->kind == SL_KIND_AMO;
  if (stores && !look(step, &ex, &writes))
    return false;
  const bool executed = step->execute(step->context, &ex);
  if (!sl_trial_unchanged(&writes) || !executed)
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
}

struct sl_fault sl_path_livelock(const struct sl_path_warps *t, unsigned warp, const struct sl_spin *spin)
{
  return (struct sl_fault){.kind = SL_FAULT_LIVELOCK,
                           .warp = (int)warp,
                           .lanes = spin->lanes,
                           .pc = spin->pc,
                           .insn = t->code.insn[sl_code_index(&t->code, spin->pc)]};
}

/* ---- warps with struct sl_paths ---------------------------------------------------------------------------------- */

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
bool sl_path_warp_spins(struct sl_path_warps *t, unsigned warp, struct sl_spin *spin)
{
  const bool timing = t->s.timing;
  struct selection selection = {.t = t, .warp = warp};
  struct sl_path_step step = {.warps = t, .warp = warp, .context = &selection, .fetch = fetch, .execute = execute};
  struct sl_trial trial = {.context = &step, .step = sl_path_trial_step};
  sl_trial_add(&trial, &t->paths[warp], sizeof t->paths[warp]);
  sl_path_trial_add(&trial, t, warp);
  t->s.timing = false;
  const bool spins = sl_trial_spins(&trial, spin);
  t->s.timing = timing;
  return spins;
}
