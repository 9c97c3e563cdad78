/* One cycle of a Vortex core: its stages in order, without the caches and the warp scheduler (vortex_frontend.h).
 *
 * The cycle loop contains two compiled copies: `plain` for plain cores (struct sl_vortex_pipeline), and one for all
 * cores. A core that has faulted is no longer plain and stops: nothing after the fault takes effect. */
#ifndef SL_MACHINE_VORTEX_CYCLE_H
#define SL_MACHINE_VORTEX_CYCLE_H

#include "machine/vortex/core/vortex_issue.h"
#include "machine/vortex/core/vortex_lsu.h"
#include "machine/vortex/core/vortex_ports.h"
#include "machine/vortex/core/vortex_units.h"

/* Begins a cycle: adds the stages that the previous cycle requested. */
SL_VORTEX_STAGE struct sl_vortex_due *sl_vortex_begin(struct sl_vortex_pipeline *core, const bool plain)
{
  struct sl_vortex_due *due = sl_vortex_due(core, core->s.cycle);
  due->stages |= core->known.again;
  core->known.again = 0;
  if (!plain)
    due->stages |= core->watched ? SL_STAGES : core->polled;
  return due;
}

static inline void sl_vortex_end(struct sl_vortex_pipeline *core, struct sl_vortex_due *due)
{
  due->stages = 0;
  core->s.cycle++;
}

/* Applies the due events that change which warps can issue. */
SL_VORTEX_STAGE void sl_vortex_take_due(struct sl_vortex_pipeline *core, struct sl_vortex_due *due, const bool plain)
{
  if (due->stages & SL_STAGE_CLEAR)
    sl_vortex_clear(core, due, plain);
  core->s.visible |= due->show;
  due->show = 0;
}

SL_VORTEX_STAGE void sl_vortex_issue_if_due(struct sl_vortex_pipeline *core, const struct sl_vortex_due *due,
                                            const bool plain)
{
  if (due->stages & (SL_STAGE_ISSUE | SL_STAGE_CLEAR | SL_STAGE_SHOW))
    sl_vortex_issue(core, plain);
  else
    sl_vortex_no_issue(core, 1);
}

/* If a queue entry can be reused in the cycle in which it is freed, stages run before those that fill their queues. */
SL_VORTEX_STAGE void sl_vortex_core_cycle(struct sl_vortex_pipeline *core, struct sl_vortex_due *due, const bool plain)
{
  const bool same_cycle = !plain && core->spec->queues_same_cycle;
  if (!plain && core->s.faulted)
    return;
  sl_vortex_take_due(core, due, plain);
  if (!plain && core->asks)
    sl_vortex_ports(core);
  if (!same_cycle) {
    sl_vortex_issue_if_due(core, due, plain);
    if (!plain && !core->ahead)
      sl_vortex_operands(core);
  }
  if (due->stages & SL_STAGE_LSU)
    sl_vortex_lsu(core);
  if (due->stages & SL_STAGE_UNITS)
    sl_vortex_units(core);
  if (due->stages & SL_STAGE_COMMIT)
    sl_vortex_commit(core, due, plain);
  if (same_cycle) {
    sl_vortex_operands(core);
    sl_vortex_issue_if_due(core, due, plain);
  }
  if (!plain && core->watched)
    sl_vortex_account_queue(core);
  if (core->s.faulted)
    core->warps->fault.cycle = core->s.cycle;
}

#endif
