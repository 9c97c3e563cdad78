/* A cycle of a Vortex core but for its caches and the schedule of a warp (vortex_frontend.h): its stages in order.
 *
 * Compiled into the loop over cycles twice: `plain` for cores of which that is known (struct sl_vortex_pipeline), and
 * for all. Once a core has faulted, it is no longer plain, and stands still: nothing behind the fault happens. */
#ifndef SL_MACHINE_VORTEX_CYCLE_H
#define SL_MACHINE_VORTEX_CYCLE_H

#include "machine/vortex/core/vortex_issue.h"
#include "machine/vortex/core/vortex_lsu.h"
#include "machine/vortex/core/vortex_ports.h"
#include "machine/vortex/core/vortex_units.h"

/* A cycle begins: what has been asked for in the one before is looked at in it. */
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

/* What is due changes what can issue. */
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

/* Where a place that has been left can be taken at once, stages go before those that fill their queues. */
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
    sl_vortex_ledger_queue(core);
  if (core->s.faulted)
    core->warps->fault.cycle = core->s.cycle;
}

#endif
