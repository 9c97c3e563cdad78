#include "machine/vortex/core/vortex_stages.h"

#include "func/ipdom_execute.h"

void sl_vortex_watch_progress(struct sl_vortex_pipeline *core, unsigned warp)
{
  const uint64_t changes = core->warps->s.switches.timeouts;
  const uint32_t pc = core->warps->warp[warp].pc;
  if (sl_ipdom_await_progress(core->warps, warp, true) && core->spec->scs_backoff > 0)
    core->s.absence.back_off |= sl_bit(warp);
  if (core->tell != NULL && core->warps->s.switches.timeouts != changes) {
    const struct sl_probe change = sl_ipdom_switch(core->warps, warp, 0, core->s.cycle, pc);
    core->tell(core->observer, core->number, &change);
  }
}

/* The wheel holds wake-ups of the near future, so a long back-off is renewed. */
sl_warps sl_vortex_back_off(struct sl_vortex_pipeline *core, sl_warps woken)
{
  struct sl_vortex_absence *a = &core->s.absence;
  const uint64_t now = core->s.cycle, most = now + SL_VORTEX_WHEEL - 1;
  for (sl_warps rest = woken & (a->back_off | a->waits); rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    if (a->back_off >> warp & 1)
      sl_vortex_absent(core, warp, now, now + core->spec->scs_backoff - 1);
    a->back_off &= ~sl_bit(warp);
    a->waits &= ~sl_bit(warp);
    if (a->to[warp] <= now)
      continue;
    sl_vortex_wake(core, sl_bit(warp), a->to[warp] < most ? a->to[warp] : most);
    a->waits |= sl_bit(warp);
    woken &= ~sl_bit(warp);
  }
  return woken;
}

void sl_vortex_absent(struct sl_vortex_pipeline *core, unsigned warp, uint64_t from, uint64_t to)
{
  core->s.absence.from[warp] = from;
  core->s.absence.to[warp] = to;
  sl_vortex_look_at(core, SL_STAGE_ISSUE, from);
  sl_vortex_look_at(core, SL_STAGE_ISSUE, to);
}

sl_warps sl_vortex_absent_warps(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_absence *a = &core->s.absence;
  sl_warps absent = 0;
  for (sl_warps rest = core->warps->s.sync.active; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    absent |= core->s.cycle >= a->from[warp] && core->s.cycle < a->to[warp] ? sl_bit(warp) : 0;
  }
  return absent;
}
