/* Warp control of a Vortex core: what TMC, WSPAWN, SPLIT, JOIN, BAR and PRED do when they reach their unit. */
#include "machine/vortex/vortex_pipeline.h"

#define GLOBAL_BARRIER UINT32_C(0x80000000)

/* Hardware switches the warp off when its TMC executes; loops and streams of the warp go with it. */
void sl_vortex_warp_ends(struct sl_vortex_pipeline *core, unsigned warp)
{
  sl_ipdom_reset_extensions(core->warps, warp);
  core->warps->active &= ~sl_bit(warp);
  core->stalled |= sl_bit(warp);
  const uint64_t seen = core->cycle + (core->spec->execute_at_schedule ? 1 : core->spec->spawn_delay);
  core->spawn_from = seen > core->spawn_from ? seen : core->spawn_from;
  /* The others may all be at a global barrier by now. */
  core->global_waits = core->at_global != 0 && (core->warps->active & ~core->at_global) == 0;
}

static void spawn(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  const uint32_t most = core->warps->spec.warps;
  const uint64_t from = core->cycle + core->spec->spawn_delay;
  core->spawn_pending = true;
  core->spawn_warp = op->warp;
  core->spawn_count = op->count < most ? op->count : most;
  core->spawn_pc = op->target;
  core->spawn_from = from > core->spawn_from ? from : core->spawn_from;
}

static void open_barrier(struct sl_vortex_pipeline *core, sl_warps waiting)
{
  core->at_barrier &= ~waiting;
  core->wake[(core->cycle + core->spec->control_delay) % SL_VORTEX_WHEEL] |= waiting;
}

/* A global barrier: once every active warp of the core is at it, the core reports to its cluster. */
static void arrive_global(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  core->at_global |= sl_bit(op->warp);
  core->global_id = op->barrier & (sl_vortex_barriers(core->spec) - 1);
  core->global_count = op->count;
  core->global_waits = (core->warps->active & ~core->at_global) == 0;
}

static void arrive(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  if (op->barrier & GLOBAL_BARRIER) {
    arrive_global(core, op);
    return;
  }
  sl_warps *waiting = &core->barrier[op->barrier & (sl_vortex_barriers(core->spec) - 1)];
  *waiting |= sl_bit(op->warp);
  core->at_barrier |= sl_bit(op->warp);
  if (sl_count(*waiting) < op->count)
    return;
  open_barrier(core, *waiting);
  *waiting = 0;
}

void sl_vortex_open_global(struct sl_vortex_pipeline *core)
{
  for (sl_warps rest = core->at_global; rest; rest &= rest - 1)
    sl_vortex_wake(core, sl_lowest(rest), core->cycle + core->spec->control_delay);
  core->at_global = 0;
  core->global_waits = false;
}

void sl_vortex_control(struct sl_vortex_pipeline *core, uint16_t index)
{
  const struct sl_vortex_op *op = &core->op[index];
  const bool joins = op->facts->flags & SL_FACT_JOIN;
  switch ((enum sl_ipdom_effect)op->effect) {
  case SL_IPDOM_ENDS:
    if (!core->spec->execute_at_schedule)
      sl_vortex_warp_ends(core, op->warp);
    break;
  case SL_IPDOM_SPAWNS: spawn(core, op); break;
  case SL_IPDOM_ARRIVES: arrive(core, op); break;
  case SL_IPDOM_NOTHING:
  case SL_IPDOM_FAULTS:
    sl_vortex_wake(core, op->warp, core->cycle + (joins ? core->spec->join_delay : core->spec->control_delay));
    break;
  }
}
