#include "machine/vortex/core/vortex_watchdog.h"

#include "func/ipdom_marks.h"

void sl_vortex_watch_progress(struct sl_vortex_pipeline *core, unsigned warp)
{
  if (sl_ipdom_await_progress(core->warps, warp, true) && core->spec->scs_backoff > 0)
    core->s.back_off.warps |= sl_bit(warp);
}

/* The wheel holds wake-ups of the near future, so a long back-off is renewed. */
sl_warps sl_vortex_back_off(struct sl_vortex_pipeline *core, sl_warps woken)
{
  struct sl_vortex_back_off *b = &core->s.back_off;
  const uint64_t now = core->s.cycle, most = now + SL_VORTEX_WHEEL - 1;
  for (sl_warps rest = woken & b->warps; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    if (b->until[warp] == 0)
      b->until[warp] = now + core->spec->scs_backoff - 1;
    if (b->until[warp] > now) {
      sl_vortex_wake(core, sl_bit(warp), b->until[warp] < most ? b->until[warp] : most);
      woken &= ~sl_bit(warp);
    } else {
      b->warps &= ~sl_bit(warp);
      b->until[warp] = 0;
    }
  }
  return woken;
}
