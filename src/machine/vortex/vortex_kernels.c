#include "machine/vortex/vortex_kernels.h"

#include "func/ipdom_warps.h"

/* With one core, at once. */
static void changed(void *gpu)
{
  struct sl_vortex_gpu *sm = gpu;
  sm->s.cycle = 0;
  for (unsigned i = 0; i < SL_VORTEX_STALL_REASONS; i++)
    sm->s.cycle += sm->timed.pipeline->s.counts.cause[i];
  sl_vortex_kernels(sm);
}

static bool spawns(const struct sl_code *code)
{
  for (uint32_t i = 0; i < code->count; i++)
    if (code->insn[i].op == SL_OP_WSPAWN || code->insn[i].op == SL_OP_WSPAWN_1)
      return true;
  return false;
}

bool sl_vortex_watch(struct sl_sm *handle, const struct sl_kernel_tracker *watch)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sm->watch = *watch;
  if (watch->rule == SL_KERNEL_SPAWNS && !spawns(&sm->code))
    sm->watch.rule = SL_KERNEL_UNWATCHED;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_ipdom_watch(&sm->core[c].warps, &sm->watch);
  sm->timed.pipeline->kernels_changed = sm->spec.cores == 1 ? changed : NULL;
  sm->timed.pipeline->gpu = sm;
  return sm->watch.rule != SL_KERNEL_UNWATCHED;
}

void sl_vortex_kernels(struct sl_vortex_gpu *sm)
{
  const struct sl_kernel_span *span[SL_VORTEX_CORES_MAX];
  uint32_t entry = 0;
  if (sm->watch.rule == SL_KERNEL_UNWATCHED)
    return;
  for (unsigned c = sm->spec.cores; c-- > 0;) {
    span[c] = &sm->core[c].warps.s.span;
    entry = span[c]->entry != 0 ? span[c]->entry : entry;
  }
  const bool under_way = sl_kernel_under_way(&sm->watch, span, sm->spec.cores);
  if (under_way == sm->s.in_kernel)
    return;
  sm->s.in_kernel = under_way;
  if (sm->environment.kernel != NULL && sm->environment.kernel(sm->environment.print_context, under_way, entry))
    sm->s.state = SL_SM_STOPPED;
}
