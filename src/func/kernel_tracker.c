#include "func/kernel_tracker.h"

uint64_t sl_kernel_kinds(const struct sl_kernel_tracker *watch)
{
  switch (watch->rule) {
  case SL_KERNEL_PLACES: return UINT64_C(1) << SL_KIND_CSR;
  case SL_KERNEL_FUNCTION:
    return UINT64_C(1) << SL_KIND_JAL | UINT64_C(1) << SL_KIND_JALR | UINT64_C(1) << SL_KIND_WARP;
  case SL_KERNEL_SPAWNS: return UINT64_C(1) << SL_KIND_WARP;
  case SL_KERNEL_UNWATCHED: break;
  }
  return 0;
}

static bool see_place(const struct sl_kernel_tracker *watch, struct sl_kernel_span *span,
                      const struct sl_kernel_step *step)
{
  if (step->pc == watch->begin) {
    span->begun++;
    span->inside = sl_bit(step->warp);
  } else if (step->pc == watch->end) {
    span->ended++;
    span->inside = 0;
  }
  return step->pc == watch->begin || step->pc == watch->end;
}

static bool see_call(const struct sl_kernel_tracker *watch, struct sl_kernel_span *span,
                     const struct sl_kernel_step *step)
{
  const sl_warps bit = sl_bit(step->warp);
  if (!(span->inside & bit) && step->next == watch->begin && !step->ends) {
    span->entry = watch->begin;
    span->back[step->warp] = step->link;
    span->inside |= bit;
    return true;
  }
  if ((span->inside & bit) && (step->ends || (step->kind == SL_KIND_JALR && step->next == span->back[step->warp]))) {
    span->inside &= ~bit;
    return true;
  }
  return false;
}

static bool see_spawn(struct sl_kernel_span *span, const struct sl_kernel_step *step)
{
  if (step->ends && (span->inside & sl_bit(step->warp))) {
    span->inside &= ~sl_bit(step->warp);
    return true;
  }
  if (step->spawned < 2)
    return false;
  span->entry = step->target;
  span->inside = sl_low_bits(step->spawned) & ~UINT64_C(1);
  return true;
}

bool sl_kernel_see(const struct sl_kernel_tracker *watch, struct sl_kernel_span *span,
                   const struct sl_kernel_step *step)
{
  switch (watch->rule) {
  case SL_KERNEL_PLACES: return see_place(watch, span, step);
  case SL_KERNEL_FUNCTION: return see_call(watch, span, step);
  case SL_KERNEL_SPAWNS: return see_spawn(span, step);
  case SL_KERNEL_UNWATCHED: break;
  }
  return false;
}

bool sl_kernel_under_way(const struct sl_kernel_tracker *watch, const struct sl_kernel_span *const span[],
                         unsigned cores)
{
  uint64_t begun = 0, ended = UINT64_MAX;
  sl_warps inside = 0;
  for (unsigned c = 0; c < cores; c++) {
    inside |= span[c]->inside;
    begun = span[c]->begun > begun ? span[c]->begun : begun;
    ended = span[c]->ended < ended ? span[c]->ended : ended;
  }
  return watch->rule == SL_KERNEL_PLACES ? ended < begun : inside != 0;
}
