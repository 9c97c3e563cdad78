#include "func/ipdom_kernels.h"

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
