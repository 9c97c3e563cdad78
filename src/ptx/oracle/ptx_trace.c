#include "ptx/oracle/ptx_trace.h"

#include <stdlib.h>
#include <string.h>

struct watch {
  const struct sl_ptx_tracer *watcher;
  const struct sl_ptx_bounds *bounds;
  struct sl_ptx_redundancy *next; /* by warp of the block */
  uint32_t *visits;               /* by warp and PC */
  size_t warps, pcs;
  struct sl_probes probes;
  bool failed;
};

static bool goes_on(void *context)
{
  const struct watch *w = context;
  return !w->failed && (w->bounds->goes_on == NULL || w->bounds->goes_on(w->bounds->context));
}

static void begun(struct watch *w, const struct sl_ptx_block *block)
{
  memset(w->visits, 0, w->warps * w->pcs * sizeof *w->visits);
  for (unsigned i = 0; i < block->warp_count; i++)
    w->next[i] = sl_ptx_look(&block->warps[i]);
  if (!w->failed && w->watcher->begun != NULL)
    w->failed = !w->watcher->begun(w->watcher->context, block);
}

static void executed(struct watch *w, const struct sl_ptx_warp *warp, const struct sl_ptx_effect *effect)
{
  const uint32_t visit = w->visits[warp->index * w->pcs + effect->pc]++;
  const struct sl_ptx_seen seen = {.warp = warp,
                                   .effect = effect,
                                   .before = &w->next[warp->index],
                                   .occurrence = sl_ptx_mixed(sl_ptx_mixed(1, effect->pc), visit)};
  if (!w->failed)
    w->failed = !w->watcher->seen(w->watcher->context, &seen);
  w->next[warp->index] = sl_ptx_look(warp);
}

/* The observer of the bounds is notified first. */
static bool hear(void *context, const struct sl_probe *p)
{
  struct watch *w = context;
  if (w->bounds->probes != NULL)
    sl_tell(w->bounds->probes, p);
  if (p->kind == SL_PROBE_BEGUN)
    begun(w, p->ptx_block);
  else if (p->kind == SL_PROBE_EXECUTED)
    executed(w, p->ptx_warp, p->ptx_effect);
  return !sl_probes_stopped(w->bounds->probes);
}

enum sl_status sl_ptx_trace(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_tracer *watcher, struct sl_ptx_counts *counts, struct sl_error *err)
{
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  struct watch w = {.watcher = watcher,
                    .bounds = bounds,
                    .warps = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES,
                    .pcs = launch->module->code_count,
                    .probes = {.wanted = SL_PROBE_BEGUN | SL_PROBE_EXECUTED, .tell = hear, .context = &w}};
  const struct sl_ptx_bounds own = {.limit = bounds->limit,
                                    .goes_on = goes_on,
                                    .context = &w,
                                    .probes = &w.probes,
                                    .launch = bounds->launch,
                                    .alone = true};
  w.probes.wanted |= bounds->probes != NULL ? bounds->probes->wanted : 0;
  w.probes.payloads = bounds->probes != NULL ? bounds->probes->payloads : 0;
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
