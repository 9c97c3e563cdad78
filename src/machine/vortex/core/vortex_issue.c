#include "machine/vortex/core/vortex_issue.h"

#include "machine/vortex/core/vortex_stages.h"

sl_warps sl_vortex_ready_extended(struct sl_vortex_pipeline *core, sl_warps candidates)
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
      core->s.hindered |= sl_bit(w);
      sl_vortex_know(core, w);
      ready &= ~sl_bit(w);
    } else if (extended->replaced && !sl_extensions_ready(core->warps, w, extended)) {
      core->s.starved |= sl_bit(w);
      ready &= ~sl_bit(w);
    }
  }
  return ready;
}

unsigned sl_vortex_rotate(const struct sl_vortex_pipeline *core, sl_warps ready, unsigned slice)
{
  const unsigned start = (unsigned)(core->s.cycle % core->slice_warps) * core->slices + slice;
  const sl_warps behind = ready & ~sl_low_bits(start);
  return sl_lowest(behind ? behind : ready);
}

/* The stall reason of the warps that wait for a register. */
static enum sl_vortex_stall_reason hindrance(const struct sl_vortex_pipeline *core)
{
  const sl_warps waiting = core->s.visible & core->s.hindered;
  return waiting & core->known.load ? SL_VORTEX_MEMORY : waiting & core->known.fpu ? SL_VORTEX_FPU : SL_VORTEX_PIPELINE;
}

static __attribute__((noinline)) enum sl_vortex_stall_reason switch_or_fetch(const struct sl_vortex_pipeline *core)
{
  return sl_vortex_absent_warps(core) != 0 ? SL_VORTEX_SWITCH : SL_VORTEX_FETCH;
}

enum sl_vortex_stall_reason sl_vortex_idle_stall_reason(const struct sl_vortex_pipeline *core, bool full)
{
  const struct sl_core_sync *sync = &core->warps->s.sync;
  if (full)
    return SL_VORTEX_OPERANDS;
  if (core->s.starved)
    return SL_VORTEX_STREAM;
  if (core->s.visible)
    return hindrance(core);
  if (sync->active == 0)
    return SL_VORTEX_DRAIN;
  if ((sync->active & ~sync->at_barrier) == 0)
    return SL_VORTEX_BARRIER;
  return core->parks ? switch_or_fetch(core) : SL_VORTEX_FETCH;
}
