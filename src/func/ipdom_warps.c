#include "func/ipdom_warps.h"

#include <stdlib.h>

#include "base/lanes_text.h"

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
