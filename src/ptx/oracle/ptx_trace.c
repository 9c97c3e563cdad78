#include "ptx/oracle/ptx_trace.h"

#include <stdlib.h>
#include <string.h>

struct watch {
  const struct sl_ptx_tracer *watcher;
  const struct sl_ptx_bounds *bounds;
  struct sl_ptx_redundancy *next; /* by warp of the block */
  uint32_t *visits;               /* by warp and PC */
  size_t warps, pcs;
  bool failed;
};

static bool goes_on(void *context)
{
  const struct watch *w = context;
  return !w->failed && (w->bounds->goes_on == NULL || w->bounds->goes_on(w->bounds->context));
}

static void begun(void *context, const struct sl_ptx_block *block)
{
  struct watch *w = context;
  if (w->bounds->begun != NULL)
    w->bounds->begun(w->bounds->context, block);
  memset(w->visits, 0, w->warps * w->pcs * sizeof *w->visits);
  for (unsigned i = 0; i < block->warp_count; i++)
    w->next[i] = sl_ptx_look(&block->warps[i]);
  if (!w->failed && w->watcher->begun != NULL)
    w->failed = !w->watcher->begun(w->watcher->context, block);
}

static void executed(void *context, const struct sl_ptx_warp *warp, const struct sl_ptx_effect *effect)
{
  struct watch *w = context;
  if (w->bounds->executed != NULL)
    w->bounds->executed(w->bounds->context, warp, effect);
  const uint32_t visit = w->visits[warp->index * w->pcs + effect->pc]++;
  const struct sl_ptx_seen seen = {.warp = warp,
                                   .effect = effect,
                                   .before = &w->next[warp->index],
                                   .occurrence = sl_ptx_mixed(sl_ptx_mixed(1, effect->pc), visit)};
  if (!w->failed)
    w->failed = !w->watcher->seen(w->watcher->context, &seen);
  w->next[warp->index] = sl_ptx_look(warp);
}

enum sl_status sl_ptx_trace(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_tracer *watcher, struct sl_ptx_counts *counts, struct sl_error *err)
{
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  struct watch w = {.watcher = watcher,
                    .bounds = bounds,
                    .warps = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES,
                    .pcs = launch->module->code_count};
  const struct sl_ptx_bounds own = {
      .limit = bounds->limit, .goes_on = goes_on, .context = &w, .executed = executed, .begun = begun};
  w.next = calloc(w.warps, sizeof *w.next);
  w.visits = calloc(w.warps * w.pcs + 1, sizeof *w.visits);
  w.failed = w.next == NULL || w.visits == NULL;
  enum sl_status code = w.failed ? SL_INTERNAL : sl_ptx_grid_run(launch, &own, counts, err);
  if (w.failed)
    code = sl_no_memory(err, w.warps * w.pcs * sizeof *w.visits);
  free(w.next);
  free(w.visits);
  return code;
}
