/* Livelock detection for a Simty core, periodically between cycles. */
#include "func/warp_livelock.h"
#include "machine/simty/simty_sm.h"

struct trial {
  struct sl_simty_core *sm;
  unsigned warp;
  bool timing;
};

static bool fetch(void *context, struct sl_execution *ex)
{
  const struct trial *trial = context;
  const struct sl_path_warps *t = &trial->sm->warps;
  const struct sl_ordered_path running = trial->sm->paths[trial->warp].running;
  const uint32_t index = sl_code_index(&t->code, sl_path_pc(running));
  if (index >= t->code.count || running.lanes == 0)
    return false;
  *ex = (struct sl_execution){.insn = &t->code.insn[index], .pc = sl_path_pc(running), .active = running.lanes};
  return true;
}

/* Executes on the machine's own paths: in the sorter's order, or fully sorted in functional execution. */
static bool execute(void *context, struct sl_execution *ex)
{
  const struct trial *trial = context;
  struct sl_sorted_paths *paths = &trial->sm->paths[trial->warp];
  const uint64_t uses = trial->sm->s.counts.pushes_pops;
  struct sl_simty_effect effect;
  if (!sl_simty_execute(trial->sm, trial->warp, true, &effect))
    return false;
  ex->jumped = sl_path_pc(paths->running) <= ex->pc;
  if (paths->cold_count > 0 && !trial->timing)
    sl_sorted_paths_settle(paths);
  else if (paths->cold_count > 0 && trial->sm->spec.sorter && trial->sm->s.counts.pushes_pops == uses)
    sl_sorted_paths_probe(paths);
  return true;
}

/* Addresses of the active lanes without a host, where memory begins at 0. */
static bool addresses(void *context, const struct sl_execution *ex, uint32_t *address)
{
  const struct trial *trial = context;
  const struct sl_path_warps *t = &trial->sm->warps;
  const uint32_t *base = sl_path_warps_registers(t, trial->warp) + ((size_t)ex->insn->rs1 << t->lane_bits);
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    address[lane] = base[lane] + ex->insn->imm;
    if (address[lane] >= trial->sm->spec.memory_bytes)
      return false;
  }
  return true;
}

/* Returns true if the warp spins. Restores the state. */
static bool spins(void *core, unsigned warp, struct sl_spin *spin)
{
  struct sl_simty_core *sm = core;
  struct sl_path_warps *t = &sm->warps;
  struct trial context = {sm, warp, t->s.timing};
  struct sl_path_step step = {.warps = t,
                              .warp = warp,
                              .context = &context,
                              .fetch = fetch,
                              .execute = execute,
                              .addresses = sm->spec.host ? NULL : addresses};
  struct sl_trial trial = {.context = &step, .step = sl_path_trial_step};
  sl_trial_add(&trial, &sm->paths[warp], sizeof sm->paths[warp]);
  sl_path_trial_add(&trial, t, warp);
  sl_trial_keep(&trial, &sm->s.counts, sizeof sm->s.counts);
  sl_trial_keep(&trial, &sm->s.done_left, sizeof sm->s.done_left);
  sl_trial_keep(&trial, &sm->s.done[warp], sizeof sm->s.done[warp]);
  const bool observed = sm->observed;
  sm->observed = t->s.timing = false;
  const bool result = sl_trial_spins(&trial, spin);
  sm->observed = observed;
  t->s.timing = context.timing;
  return result;
}

void sl_simty_check_livelock(struct sl_sm *handle)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  const sl_warps running = sl_low_bits(sm->spec.warps) & ~sm->s.ended & ~sm->s.barrier.waiting;
  sl_warps done = 0; /* they wait at the end */
  for (unsigned warp = 0; warp < sm->spec.warps; warp++)
    done |= sm->s.done[warp] == sm->warps.all ? sl_bit(warp) : 0;
  if (sl_barrier_opening(&sm->s.barrier) || !sl_path_livelock(&sm->warps, running, done, spins, sm, &fault))
    return;
  fault.cycle = sm->warps.s.timing ? sm->s.cycle : 0;
  sm->warps.fault = fault;
  sm->s.state = SL_SM_FAULTED;
}
