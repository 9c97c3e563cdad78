/* Issue of a Vortex core: the scoreboard check, the choice of a warp in each slice, and the stall reason of each cycle.
 *
 * Timing contract: an instruction whose registers are written in cycle W can issue in W. Issue is evaluated in cycles
 * in which an instruction becomes visible, a register is written or a warp could issue, and in the cycle after a
 * synchronisation of warps; if the core is not plain, also in the cycle after an issue. In all other cycles the last
 * result still holds. */
#ifndef SL_MACHINE_VORTEX_ISSUE_H
#define SL_MACHINE_VORTEX_ISSUE_H

#include "machine/vortex/core/vortex_execute.h"
#include "machine/vortex/core/vortex_operands.h"
#include "machine/vortex/core/vortex_stages.h"

/* With extensions: the warps with an instruction that can issue. */
sl_warps sl_vortex_ready_extended(struct sl_vortex_pipeline *core, sl_warps candidates);

/* Chooses one of them; the search starts one warp further in every cycle. */
unsigned sl_vortex_rotate(const struct sl_vortex_pipeline *core, sl_warps ready, unsigned slice);

/* Stall reason of a cycle without an issue. */
enum sl_vortex_stall_reason sl_vortex_idle_stall_reason(const struct sl_vortex_pipeline *core, bool full);

/* Accounts for cycles in which issue is not evaluated. */
static inline void sl_vortex_no_issue(struct sl_vortex_pipeline *core, uint64_t cycles)
{
  core->s.counts.cause[core->known.cause] += cycles;
  core->s.counts.scoreboard_stalls += core->known.scoreboard ? cycles : 0;
}

/* The warps with an instruction none of whose registers is pending; marks the other warps as hindered. */
static inline sl_warps sl_vortex_ready(struct sl_vortex_pipeline *core, sl_warps candidates)
{
  core->s.hindered |= candidates & core->known.awaits;
  return candidates & ~core->known.awaits;
}

/* As the RTL does, serves a snapshot of the requesting warps, lowest first, before it takes a new snapshot. */
static inline unsigned sl_vortex_arbitrate(struct sl_vortex_pipeline *core, sl_warps ready, unsigned slice)
{
  const sl_warps left = core->s.snapshot[slice] & ready, snapshot = left ? left : ready;
  core->s.snapshot[slice] = snapshot & (snapshot - 1);
  return sl_lowest(snapshot);
}

/* Removes the warp's instruction from its buffer; the next one is visible from the next cycle on. */
static inline void sl_vortex_leave_buffer(struct sl_vortex_pipeline *core, unsigned warp)
{
  struct sl_vortex_buffers *buffer = &core->s.ibuffer;
  const unsigned first = (buffer->first[warp] + 1u) % SL_VORTEX_IBUFFER, count = buffer->count[warp] - 1u;
  buffer->first[warp] = (uint8_t)first;
  buffer->count[warp] = (uint8_t)count;
  core->s.visible &= ~sl_bit(warp);
  if (count == 0)
    return;
  const uint64_t ready = core->op[buffer->op[warp][first]].decoded, next = core->s.cycle + 1;
  sl_vortex_show(core, warp, ready > next ? ready : next);
}

SL_VORTEX_STAGE void sl_vortex_issue_warp(struct sl_vortex_pipeline *core, unsigned warp, unsigned slice,
                                          const bool plain)
{
  const uint16_t index = sl_vortex_to_issue(core, warp);
  if (!plain && core->extends && core->extended[index].replaced)
    sl_extensions_issue(core->warps, warp, &core->extended[index]);
  sl_vortex_leave_buffer(core, warp);
  sl_scoreboard_hold(&core->s.scoreboard, warp, &core->op[index].facts);
  if (core->s.ibuffer.count[warp] > 0)
    sl_vortex_know(core, warp);
  if (!plain && core->watched)
    sl_vortex_account_issue(core, index);
  core->s.issued = true;
  sl_vortex_to_operands(core, slice, index, plain);
  if (plain || !core->spec->execute_at_schedule)
    sl_vortex_execute(core, index, core->s.cycle + core->spec->csr_clock_delay, plain);
}

/* Each cycle has exactly one stall reason. Without an issue the reason stays the same until the next event. After an
 * issue, a plain core in which no other warp can issue knows it for the next cycles. */
SL_VORTEX_STAGE void sl_vortex_account(struct sl_vortex_pipeline *core, bool full, const bool plain)
{
  const bool issued = core->s.issued, more = (core->s.visible & ~core->s.hindered) != 0;
  if (plain && issued && !more) {
    core->s.counts.cause[SL_VORTEX_ISSUED]++;
    core->known.cause = sl_vortex_idle_stall_reason(core, false);
    core->known.scoreboard = core->s.visible != 0;
    return;
  }
  core->known.cause = issued ? SL_VORTEX_ISSUED : sl_vortex_idle_stall_reason(core, full);
  core->known.scoreboard = !issued && !full && core->s.visible != 0;
  core->known.again |= issued || more ? SL_STAGE_ISSUE : 0;
  core->s.counts.operand_stalls += full;
  sl_vortex_no_issue(core, 1);
  if (!plain && core->watched)
    sl_vortex_account_cycle(core, core->known.cause);
}

SL_VORTEX_STAGE void sl_vortex_issue(struct sl_vortex_pipeline *core, const bool plain)
{
  const unsigned slices = plain ? 1 : core->slices;
  bool full = false;
  core->s.issued = false;
  core->s.starved = 0;
  for (unsigned slice = 0; slice < slices && !core->s.faulted; slice++) {
    const sl_warps candidates = core->s.visible & ~core->s.hindered & core->slice_set[slice];
    if (candidates == 0)
      continue;
    if (!sl_vortex_takes_issue(core, slice, plain)) {
      full = true;
      continue;
    }
    const sl_warps ready =
        !plain && core->extends ? sl_vortex_ready_extended(core, candidates) : sl_vortex_ready(core, candidates);
    if (ready == 0)
      continue;
    const unsigned warp =
        core->spec->issue_rotates ? sl_vortex_rotate(core, ready, slice) : sl_vortex_arbitrate(core, ready, slice);
    sl_vortex_issue_warp(core, warp, slice, plain);
  }
  sl_vortex_account(core, full, plain);
}

#endif
