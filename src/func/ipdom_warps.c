#include "func/ipdom_warps.h"

#include <stdlib.h>

#include "base/arrays.h"

static size_t register_bytes(const struct sl_ipdom_warps *w)
{
  return w->spec.warps * w->warp_words * sizeof *w->x;
}

enum sl_status sl_ipdom_init(struct sl_ipdom_warps *w, const struct sl_ipdom_spec *spec, const struct sl_lane_ops *ops,
                             struct sl_memory *memory, const struct sl_code *code, struct sl_error *err)
{
  *w = (struct sl_ipdom_warps){
      .spec = *spec,
      .convergence = sl_convergences[spec->convergence],
      .lanes_branch = sl_convergences[spec->convergence]->branch != NULL,
      .turns = sl_convergences[spec->convergence]->branch != NULL || spec->watchdog != 0,
      .ops = ops,
      .fp = sl_fp_ops(spec->lanes),
      .memory = memory,
      .code = code,
      .lane_bits = sl_log2(spec->lanes),
      .all = sl_low_bits(spec->lanes),
      .warp_words =
          (size_t)(spec->registers ? spec->registers : SL_IPDOM_RV32_REGISTERS) * spec->lanes + SL_REGISTER_GAP,
  };
  w->x = sl_lines_of(1, register_bytes(w));
  w->local = sl_lines_of(1, spec->local_storage_bytes);
  w->warp = sl_lines_of(spec->warps, sizeof *w->warp);
  w->reserved = sl_lines_of((size_t)spec->warps * spec->lanes, sizeof *w->reserved);
  const bool waits = SL_CHECKS && spec->pool > 0 && w->convergence->ready != NULL && !spec->unguarded;
  if (waits)
    w->waited = calloc(spec->warps, SL_MAX_LANES * sizeof *w->waited);
  if ((w->waited != NULL || !waits) && w->x != NULL && w->local != NULL && w->warp != NULL && w->reserved != NULL)
    return SL_OK;
  sl_ipdom_free(w);
  return sl_no_memory(err, register_bytes(w) + spec->local_storage_bytes);
}

void sl_ipdom_extend(struct sl_ipdom_warps *w, const struct sl_extension_kind *kind, void *state)
{
  w->schedules |= (unsigned)(kind->schedule != NULL) << w->extensions;
  w->renames |= (unsigned)(kind->rename != NULL) << w->extensions;
  w->extension[w->extensions++] = (struct sl_extension){kind, state};
}

void sl_ipdom_free(struct sl_ipdom_warps *w)
{
  for (unsigned i = 0; i < w->extensions; i++)
    w->extension[i].kind->free(w->extension[i].state);
  free(w->x);
  free(w->local);
  free(w->warp);
  free(w->reserved);
  free(w->waited);
  *w = (struct sl_ipdom_warps){0};
}

void sl_ipdom_start(struct sl_ipdom_warps *w, uint32_t entry, uint32_t argument)
{
  memset(w->x, 0, register_bytes(w));
  memset(w->warp, 0, w->spec.warps * sizeof *w->warp);
  memset(w->reserved, 0, (size_t)w->spec.warps * w->spec.lanes * sizeof *w->reserved);
  memset(w->local, 0, w->spec.local_storage_bytes);
  if (w->waited != NULL)
    memset(w->waited, 0, w->spec.warps * SL_MAX_LANES * sizeof *w->waited);
  w->s.mscratch = argument;
  w->s.performance_class = 0;
  w->s.switches = (struct sl_switch_counts){0};
  w->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  sl_core_sync_start(&w->s.sync, w->spec.barriers);
  sl_ipdom_spawn(w, 0, entry);
}

/* Registers, floating-point status and stack keep their values, because the hardware resets none of them. */
void sl_ipdom_spawn(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc)
{
  w->warp[warp].pc = pc;
  w->warp[warp].furthest = w->warp[warp].watched = 0;
  w->warp[warp].mask = w->spec.spawns_all_lanes ? w->all : sl_bit(0);
  if (w->convergence->start != NULL)
    w->convergence->start(&w->warp[warp]);
}

static void reset_extensions(const struct sl_ipdom_warps *w, unsigned warp)
{
  for (unsigned i = 0; i < w->extensions; i++)
    w->extension[i].kind->reset(w->extension[i].state, warp);
}

sl_warps sl_ipdom_begin_spawned(struct sl_ipdom_warps *w)
{
  const sl_warps free = sl_core_sync_spawn(&w->s.sync);
  for (sl_warps rest = free & ~sl_bit(w->s.sync.spawner); rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    sl_ipdom_spawn(w, warp, w->s.sync.spawn_pc);
    reset_extensions(w, warp);
  }
  return free;
}

void sl_ipdom_end(struct sl_ipdom_warps *w, unsigned warp)
{
  reset_extensions(w, warp);
  sl_core_sync_end(&w->s.sync, warp);
}

enum { RETURN_ADDRESS = 1 };

void sl_ipdom_watch(struct sl_ipdom_warps *w, const struct sl_kernel_tracker *watch)
{
  w->watch = watch;
  w->watched = sl_kernel_kinds(watch);
}

bool sl_ipdom_see_kernel(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                         enum sl_ipdom_effect effect)
{
  const unsigned lane = ex->active != 0 ? sl_lowest(ex->active) : 0;
  const struct sl_kernel_step step = {
      .kind = (enum sl_kind)ex->insn->kind,
      .warp = warp,
      .pc = ex->pc,
      .next = w->warp[warp].pc,
      .link = sl_ipdom_register(w, warp, RETURN_ADDRESS)[lane],
      .spawned = effect == SL_IPDOM_SPAWNS ? ex->count : 0,
      .target = ex->target,
      .ends = effect == SL_IPDOM_ENDS,
  };
  return sl_kernel_see(w->watch, &w->s.span, &step);
}

/* ---- barriers and spawned warps ---------------------------------------------------------------------------------- */

void sl_core_sync_start(struct sl_core_sync *sync, unsigned barriers)
{
  *sync = (struct sl_core_sync){.barriers = barriers, .active = sl_bit(0), .started = sl_bit(0)};
}

sl_warps sl_core_sync_arrive(struct sl_core_sync *sync, unsigned warp, uint32_t id, uint32_t count)
{
  const unsigned index = id & (sync->barriers - 1);
  if (count < 2)
    return sl_bit(warp);
  sync->at_barrier |= sl_bit(warp);
  if (id & SL_CORE_SYNC_GLOBAL) {
    sync->at_global |= sl_bit(warp);
    sync->global[index] |= sl_bit(warp);
    sync->cores[index] = count;
    return 0;
  }
  sync->local[index] |= sl_bit(warp);
  const sl_warps there = sync->local[index];
  if (sl_count(there) < count)
    return 0;
  sync->local[index] = 0;
  sync->at_barrier &= ~there;
  return there;
}

void sl_core_sync_ask(struct sl_core_sync *sync, unsigned warp, uint32_t count, uint32_t pc)
{
  sync->asking |= sl_bit(warp);
  sync->spawning = true;
  sync->spawner = warp;
  sync->spawn_count = count;
  sync->spawn_pc = pc;
}

sl_warps sl_core_sync_spawn(struct sl_core_sync *sync)
{
  const sl_warps self = sl_bit(sync->spawner);
  if (!sync->spawning || sync->active != self)
    return 0;
  const sl_warps begin = sl_low_bits(sync->spawn_count) & ~sl_bit(0) & ~self;
  sync->active |= begin;
  sync->started |= begin;
  sync->asking &= ~self;
  sync->spawning = false;
  return begin | self;
}

void sl_core_sync_end(struct sl_core_sync *sync, unsigned warp)
{
  sync->active &= ~sl_bit(warp);
}

/* A core has arrived at a global barrier when all of its running warps have. */
static bool is_at(const struct sl_core_sync *sync, unsigned index)
{
  return sync->global[index] != 0 && sync->global[index] == sync->active;
}

/* Returns true if as many cores have arrived as some core's count requires. */
static bool is_full(struct sl_core_sync *const sync[], unsigned cores, unsigned index)
{
  unsigned there = 0;
  uint32_t least = UINT32_MAX;
  for (unsigned c = 0; c < cores; c++) {
    if (!is_at(sync[c], index))
      continue;
    there++;
    least = sync[c]->cores[index] < least ? sync[c]->cores[index] : least;
  }
  return there >= least;
}

static sl_warps leave(struct sl_core_sync *sync, unsigned index)
{
  const sl_warps there = is_at(sync, index) ? sync->global[index] : 0;
  sync->global[index] &= ~there;
  sync->at_global &= ~there;
  sync->at_barrier &= ~there;
  return there;
}

bool sl_core_syncs_open(struct sl_core_sync *const sync[], unsigned cores, sl_warps released[])
{
  sl_warps any = 0;
  for (unsigned c = 0; c < cores; c++) {
    released[c] = 0;
    any |= sync[c]->at_global;
  }
  if (any == 0)
    return false;
  bool opened = false;
  for (unsigned index = 0; index < sync[0]->barriers; index++) {
    if (!is_full(sync, cores, index))
      continue;
    opened = true;
    for (unsigned c = 0; c < cores; c++)
      released[c] |= leave(sync[c], index);
  }
  return opened;
}
