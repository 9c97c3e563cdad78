#include "machine/vortex/core/vortex_control.h"

#include "machine/vortex/core/vortex_accounting.h"

/* The hardware switches the warp off when its TMC executes. The warp's loops and streams end with it. */
void sl_vortex_warp_ends(struct sl_vortex_pipeline *core, unsigned warp)
{
  sl_ipdom_end(core->warps, warp);
  core->s.stalled |= sl_bit(warp);
  sl_vortex_look_at(core, SL_STAGE_ISSUE | SL_STAGE_SCHEDULE, core->s.cycle);
  const uint64_t seen = core->s.cycle + (core->spec->execute_at_schedule ? 1 : core->spec->spawn_delay);
  core->s.spawn_from = seen > core->s.spawn_from ? seen : core->s.spawn_from;
}

static void spawn(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  const uint64_t from = core->s.cycle + core->spec->spawn_delay;
  sl_core_sync_ask(&core->warps->s.sync, op->warp, op->count, op->target);
  sl_vortex_look_at(core, SL_STAGE_ISSUE | SL_STAGE_SCHEDULE, core->s.cycle);
  core->s.spawn_from = from > core->s.spawn_from ? from : core->s.spawn_from;
}

void sl_vortex_pass_barrier(struct sl_vortex_pipeline *core, sl_warps warps)
{
  sl_vortex_wake(core, warps, core->s.cycle + core->spec->control_delay);
  sl_vortex_look_at(core, SL_STAGE_ISSUE, core->s.cycle);
  if (__builtin_expect(core->watched, 0))
    sl_vortex_account_barrier(core, SL_PROBE_RELEASED, warps);
}

void sl_vortex_control(struct sl_vortex_pipeline *core, uint16_t index)
{
  const struct sl_vortex_op *op = &core->op[index];
  const bool joins = op->facts.flags & SL_FACT_JOIN;
  switch ((enum sl_ipdom_effect)op->effect) {
  case SL_IPDOM_ENDS:
    if (!core->spec->execute_at_schedule)
      sl_vortex_warp_ends(core, op->warp);
    break;
  case SL_IPDOM_SPAWNS: spawn(core, op); break;
  case SL_IPDOM_ARRIVES:
    if (__builtin_expect(core->watched, 0))
      sl_vortex_account_barrier(core, SL_PROBE_ARRIVED, sl_bit(op->warp));
    sl_vortex_pass_barrier(core, sl_core_sync_arrive(&core->warps->s.sync, op->warp, op->barrier, op->count));
    break;
  case SL_IPDOM_NOTHING:
  case SL_IPDOM_FAULTS:
    sl_vortex_wake(core, sl_bit(op->warp),
                   core->s.cycle + (joins ? core->spec->join_delay : core->spec->control_delay));
    break;
  }
}
