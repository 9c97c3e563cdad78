#include "warp/livelock.h"

#include <string.h>

#include "warp/path_access.h"
#include "warp/path_csr.h"

/* The state that determines a warp's future, except memory. */
struct warp_state {
  struct sl_paths paths; /* or the machine's own paths */
  uint32_t x[SL_REGISTERS * SL_MAX_LANES];
};

static size_t register_bytes(const struct sl_path_warps *t)
{
  return (size_t)SL_REGISTERS * t->spec.lanes * sizeof *t->x;
}

static void take(struct warp_state *state, const struct sl_trial *trial)
{
  memcpy(&state->paths, trial->paths, trial->path_bytes);
  memcpy(state->x, sl_path_warps_registers(trial->threads, trial->warp), register_bytes(trial->threads));
}

static bool same_state(const struct warp_state *state, const struct sl_trial *trial)
{
  return trial->same_paths(&state->paths, trial->paths) &&
         memcmp(state->x, sl_path_warps_registers(trial->threads, trial->warp), register_bytes(trial->threads)) == 0;
}

/* Reads the words that a store or atomic of the active lanes will write, with a load from the same addresses and no
 * register. Returns false if the access faults. */
static bool look(const struct sl_trial *trial, const struct sl_execution *ex, uint32_t before[SL_MAX_LANES],
                 struct sl_request *request)
{
  struct sl_path_warps *t = trial->threads;
  struct sl_insn load = *ex->insn;
  struct sl_execution looking = *ex;
  load.kind = SL_KIND_LOAD;
  load.op = SL_OP_LW;
  load.rd = 0;
  looking.insn = &load;
  if (trial->addresses != NULL ? !trial->addresses(trial->context, ex, request->address)
                               : !sl_memory_access(t, trial->warp, &looking, request))
    return false;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1)
    before[sl_lowest(rest)] = sl_memory_load(t->memory, request->address[sl_lowest(rest)], load.width);
  return true;
}

/* Returns true if memory has not changed; else restores it. */
static bool unchanged(struct sl_path_warps *t, const struct sl_execution *ex, const uint32_t before[SL_MAX_LANES],
                      const struct sl_request *request)
{
  const unsigned width = ex->insn->width;
  sl_lanes changed = 0;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    if (sl_memory_load(t->memory, request->address[lane], width) != before[lane])
      changed |= sl_bit(lane);
  }
  for (sl_lanes rest = changed; rest; rest &= rest - 1)
    sl_memory_store(t->memory, request->address[sl_lowest(rest)], width, before[sl_lowest(rest)]);
  return changed == 0;
}

/* Returns true if the instruction has an effect outside the warp: output, or a change of the machine's state. */
static bool shows(const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && in->csr != SL_CSR_HART_ID && in->csr != SL_CSR_CLOSURE;
}

static void note(struct sl_spin *spin, const struct sl_execution *ex)
{
  const bool back = ex->jumped && (ex->insn->kind == SL_KIND_JALR || (int32_t)ex->insn->imm <= 0);
  if (back || spin->lanes == 0) {
    spin->pc = ex->pc;
    spin->insn = *ex->insn;
  }
  spin->lanes |= ex->active;
}

/* Executes one instruction of the trial. Returns false if the instruction ends the trial. */
static bool step(const struct sl_trial *trial, struct sl_spin *spin)
{
  struct sl_path_warps *t = trial->threads;
  struct sl_request looked;
  struct sl_execution ex;
  uint32_t before[SL_MAX_LANES];
  if (!trial->fetch(trial->context, &ex) || shows(ex.insn))
    return false;
  const bool writes = ex.insn->kind == SL_KIND_STORE || ex.insn->kind == SL_KIND_AMO;
  if (writes && !look(trial, &ex, before, &looked))
    return false;
  if (!trial->execute(trial->context, &ex))
    return false;
  if (writes && !unchanged(t, &ex, before, &looked))
    return false;
  note(spin, &ex);
  return true;
}

bool sl_livelock_spins(const struct sl_trial *trial, struct sl_spin *spin)
{
  struct sl_path_warps *t = trial->threads;
  const bool timing = t->s.timing;
  struct warp_state seen;
  unsigned since = 0, limit = 1;
  bool spins = false;
  t->s.timing = false;
  take(&seen, trial);
  *spin = (struct sl_spin){0};
  for (unsigned n = 0; n < SL_LIVELOCK_INSTRUCTIONS && !spins && step(trial, spin); n++) {
    spins = same_state(&seen, trial);
    if (!spins && ++since == limit) {
      take(&seen, trial);
      *spin = (struct sl_spin){0};
      since = 0;
      limit *= 2;
    }
  }
  t->s.timing = timing;
  t->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  return spins;
}

/* ---- warps with struct sl_paths -------------------------------------------------------------------------------------
 */

struct threads_trial {
  struct sl_path_warps *t;
  unsigned warp, path; /* path: the selected one */
};

static bool same_paths(const void *one, const void *other)
{
  const struct sl_paths *a = one, *b = other;
  if (a->count != b->count)
    return false;
  for (unsigned i = 0; i < a->count; i++) {
    const struct sl_path *p = &a->path[i], *q = &b->path[i];
    if (p->lanes != q->lanes || p->pc != q->pc || p->level != q->level || p->retry != q->retry)
      return false;
  }
  return a->count == 1 || a->scheme != SL_CONVERGENCE_SORTED_PATHS ||
         (a->sorted.probe == b->sorted.probe && a->sorted.uncompared == b->sorted.uncompared);
}

static bool fetch(void *context, struct sl_execution *ex)
{
  struct threads_trial *trial = context;
  return sl_path_warps_fetch(trial->t, trial->warp, &trial->path, ex);
}

static bool execute(void *context, struct sl_execution *ex)
{
  struct threads_trial *trial = context;
  struct sl_request request;
  return sl_path_execute(trial->t, trial->warp, trial->path, ex, &request) != SL_EFFECT_FAULT;
}

bool sl_livelock_threads_spin(struct sl_path_warps *t, unsigned warp, struct sl_spin *spin)
{
  struct threads_trial context = {.t = t, .warp = warp};
  const struct sl_trial trial = {
      .threads = t,
      .warp = warp,
      .paths = &t->paths[warp],
      .path_bytes = sizeof t->paths[warp],
      .same_paths = same_paths,
      .context = &context,
      .fetch = fetch,
      .execute = execute,
  };
  return sl_livelock_spins(&trial, spin);
}
