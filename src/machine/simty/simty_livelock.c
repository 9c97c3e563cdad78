/* Livelock detection for a Simty core, periodically between cycles. */
#include <string.h>

#include "machine/simty/simty_sm.h"
#include "warp/livelock.h"

/* A warp's state before a trial, and the core's state that a trial may change. */
struct backup {
  struct sl_sorted_paths paths;
  uint32_t x[SL_REGISTERS * SL_MAX_LANES];
  struct sl_simty_counts counts;
  uint32_t done_left;
  sl_lanes done;
  bool observed;
};

struct trial {
  struct sl_simty_core *sm;
  unsigned warp;
  bool timing;
};

static bool same_path(struct sl_ordered_path a, struct sl_ordered_path b)
{
  return a.lanes == b.lanes && (a.lanes == 0 || a.key == b.key);
}

static bool same_paths(const void *one, const void *other)
{
  const struct sl_sorted_paths *a = one, *b = other;
  bool same = same_path(a->running, b->running) && same_path(a->next, b->next) && a->uncompared == b->uncompared &&
              a->cold_count == b->cold_count && (a->cold_count == 0 || a->probe == b->probe);
  for (unsigned i = 0; same && i < a->cold_count; i++)
    same = same_path(a->cold[i], b->cold[i]);
  return same;
}

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
static bool spins(struct sl_simty_core *sm, unsigned warp, struct sl_spin *spin)
{
  struct sl_path_warps *t = &sm->warps;
  uint32_t *x = sl_path_warps_registers(t, warp);
  const size_t bytes = (size_t)SL_REGISTERS * t->spec.lanes * sizeof *x;
  struct trial context = {sm, warp, t->s.timing};
  const struct sl_trial trial = {
      .threads = t,
      .warp = warp,
      .paths = &sm->paths[warp],
      .path_bytes = sizeof sm->paths[warp],
      .same_paths = same_paths,
      .context = &context,
      .fetch = fetch,
      .execute = execute,
      .addresses = sm->spec.host ? NULL : addresses,
  };
  struct backup backup = {.paths = sm->paths[warp],
                          .counts = sm->s.counts,
                          .done_left = sm->s.done_left,
                          .done = sm->s.done[warp],
                          .observed = sm->observed};
  memcpy(backup.x, x, bytes);
  sm->observed = false;
  const bool result = sl_livelock_spins(&trial, spin);
  sm->paths[warp] = backup.paths;
  sm->s.counts = backup.counts;
  sm->s.done_left = backup.done_left;
  sm->s.done[warp] = backup.done;
  sm->observed = backup.observed;
  memcpy(x, backup.x, bytes);
  return result;
}

void sl_simty_check_livelock(struct sl_sm *handle)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  const sl_warps running = sl_low_bits(sm->spec.warps) & ~sm->s.ended & ~sm->s.barrier.waiting;
  if (running == 0 || sl_barrier_opening(&sm->s.barrier))
    return;
  for (sl_warps rest = running; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    struct sl_spin spin;
    if (!spins(sm, warp, &spin))
      return;
    /* Prefers to report a warp in which other lanes wait for the spinning ones. Skips warps that are done. */
    if (sm->s.done[warp] == sm->warps.all)
      continue;
    const bool others = spin.lanes != sm->warps.all;
    if (fault.kind == SL_FAULT_NONE || (others && fault.lanes == sm->warps.all))
      fault = (struct sl_fault){
          .kind = SL_FAULT_LIVELOCK, .warp = (int)warp, .lanes = spin.lanes, .pc = spin.pc, .insn = spin.insn};
  }
  if (fault.kind == SL_FAULT_NONE)
    return;
  fault.cycle = sm->warps.s.timing ? sm->s.cycle : 0;
  sm->warps.fault = fault;
  sm->s.state = SL_SM_FAULTED;
}
