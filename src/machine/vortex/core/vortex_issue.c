#include "machine/vortex/core/vortex_issue.h"

#include "machine/vortex/core/vortex_execute.h"
#include "machine/vortex/core/vortex_ledger.h"
#include "machine/vortex/core/vortex_operands.h"

/* What the warp's next instruction waits for, when that is a register. */
static void hinder(struct sl_vortex_pipeline *core, unsigned warp, const struct sl_vortex_facts *facts)
{
  core->s.hindered |= sl_bit(warp);
  sl_vortex_know(core, warp, facts);
}

/* Warps with an instruction whose registers are all there: without extensions, and with them. */
static inline sl_warps plainly_ready(struct sl_vortex_pipeline *core, sl_warps candidates)
{
  for (sl_warps rest = candidates & ~core->known.ready; rest; rest &= rest - 1) {
    const unsigned w = sl_lowest(rest);
    const struct sl_vortex_facts *facts = &core->op[sl_vortex_to_issue(core, w)].facts;
    if (sl_scoreboard_awaits(&core->s.scoreboard, SL_AWAITED, w, facts))
      hinder(core, w, facts);
    else
      core->known.ready |= sl_bit(w);
  }
  return candidates & core->known.ready;
}

static sl_warps ready_warps(struct sl_vortex_pipeline *core, sl_warps candidates)
{
  sl_warps ready = candidates;
  for (sl_warps rest = candidates; rest; rest &= rest - 1) {
    const unsigned w = sl_lowest(rest);
    const uint16_t index = sl_vortex_to_issue(core, w);
    const struct sl_vortex_op *op = &core->op[index];
    const struct sl_extended *extended = &core->extended[index];
    if (core->warps->renames != 0 && !extended->renamed && !sl_vortex_rename(core, index))
      return 0;
    if (sl_scoreboard_awaits(&core->s.scoreboard, SL_AWAITED, w, &op->facts)) {
      hinder(core, w, &op->facts);
      ready &= ~sl_bit(w);
    } else if (extended->replaced && !sl_extensions_ready(core->warps, w, extended)) {
      core->s.starved |= sl_bit(w);
      ready &= ~sl_bit(w);
    }
  }
  return ready;
}

/* The simulator starts its search at the next warp in every cycle. */
static unsigned rotate(const struct sl_vortex_pipeline *core, sl_warps ready, unsigned slice)
{
  const unsigned start = (unsigned)(core->s.cycle % core->slice_warps) * core->slices + slice;
  const sl_warps behind = ready & ~sl_low_bits(start);
  return sl_lowest(behind ? behind : ready);
}

/* The RTL serves a snapshot of the warps that ask, lowest first, before it looks again. */
static unsigned arbitrate(struct sl_vortex_pipeline *core, sl_warps ready, unsigned slice)
{
  sl_warps *snapshot = &core->s.snapshot[slice];
  *snapshot &= ready;
  if (*snapshot == 0)
    *snapshot = ready;
  const unsigned warp = sl_lowest(*snapshot);
  *snapshot &= *snapshot - 1;
  return warp;
}

/* The warp's instruction leaves its buffer; the next one is seen from the next cycle on. */
static void take_next(struct sl_vortex_pipeline *core, unsigned warp)
{
  struct sl_vortex_buffers *buffer = &core->s.ibuffer;
  buffer->first[warp] = (uint8_t)((buffer->first[warp] + 1) % SL_VORTEX_IBUFFER);
  buffer->count[warp]--;
  core->s.visible &= ~sl_bit(warp);
  core->known.ready &= ~sl_bit(warp);
  if (buffer->count[warp] == 0)
    return;
  const uint64_t ready = core->op[sl_vortex_to_issue(core, warp)].decoded, next = core->s.cycle + 1;
  sl_vortex_due(core, ready > next ? ready : next)->show |= sl_bit(warp);
}

static void issue(struct sl_vortex_pipeline *core, unsigned warp, unsigned slice)
{
  const uint16_t index = sl_vortex_to_issue(core, warp);
  if (core->extends && core->extended[index].replaced)
    sl_extensions_issue(core->warps, warp, &core->extended[index]);
  take_next(core, warp);
  sl_scoreboard_hold(&core->s.scoreboard, warp, &core->op[index].facts);
  if (__builtin_expect(core->watched, 0))
    sl_vortex_ledger_issue(core, index);
  core->s.issued = true;
  sl_vortex_to_operands(core, slice, index);
  if (!core->spec->execute_at_schedule)
    sl_vortex_execute(core, index, core->s.cycle + core->spec->csr_clock_delay);
}

/* Of the warps that wait for a register, what they wait for. */
static enum sl_vortex_cause hindrance(const struct sl_vortex_pipeline *core)
{
  const sl_warps waiting = core->s.visible & core->s.hindered;
  return waiting & core->known.load ? SL_VORTEX_MEMORY : waiting & core->known.fpu ? SL_VORTEX_FPU : SL_VORTEX_PIPELINE;
}

/* Who owns a cycle in which nothing has issued. */
static enum sl_vortex_cause idle_cause(const struct sl_vortex_pipeline *core, bool full)
{
  const struct sl_gang *gang = &core->warps->s.gang;
  if (full)
    return SL_VORTEX_OPERANDS;
  if (core->s.starved)
    return SL_VORTEX_STREAM;
  if (core->s.visible)
    return hindrance(core);
  if (gang->active == 0)
    return SL_VORTEX_DRAIN;
  return (gang->active & ~gang->at_barrier) == 0 ? SL_VORTEX_BARRIER : SL_VORTEX_FETCH;
}

/* Every cycle has one owner; without an issue it stays the same until something happens. */
static inline void account(struct sl_vortex_pipeline *core, bool full)
{
  const bool issued = core->s.issued;
  core->s.counts.operand_stalls += full;
  core->known.cause = issued ? SL_VORTEX_ISSUED : idle_cause(core, full);
  core->known.scoreboard = !issued && !full && core->s.visible != 0;
  core->known.again |= issued || (core->s.visible & ~core->s.hindered) != 0 ? SL_STAGE_ISSUE : 0;
  sl_vortex_no_issue(core, 1);
  if (__builtin_expect(core->watched, 0))
    sl_vortex_ledger_cycle(core, core->known.cause);
}

void sl_vortex_issue(struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_spec *spec = core->spec;
  bool full = false;
  core->s.issued = false;
  core->s.starved = 0;
  for (unsigned slice = 0; slice < core->slices && !core->s.faulted; slice++) {
    const sl_warps candidates = core->s.visible & ~core->s.hindered & core->slice_set[slice];
    if (candidates == 0)
      continue;
    if (!sl_vortex_can_issue(core, slice)) {
      full = true;
      continue;
    }
    const sl_warps ready = core->extends ? ready_warps(core, candidates) : plainly_ready(core, candidates);
    if (ready)
      issue(core, spec->issue_rotates ? rotate(core, ready, slice) : arbitrate(core, ready, slice), slice);
  }
  account(core, full);
}
