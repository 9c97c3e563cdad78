#include "machine/vortex/vortex_sampled.h"

#include <string.h>

#include "isa/fp.h"
#include "machine/vortex/vortex_timed.h"

const char *sl_vortex_refuses_sampling(const void *spec)
{
  const struct sl_vortex_spec *s = spec;
  return s->loops > 0 || s->streams > 0 ? "timing cannot begin within a program on a machine with hardware loops or "
                                          "streams; choose a machine without them"
                                        : NULL;
}

/* Warps that wait for others continue when those release them, as in any cycle. */
static void begin_timing(struct sl_vortex_pipeline *p)
{
  p->s.stalled = ~sl_core_sync_free(&p->warps->s.sync);
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
    p->s.due[i].wake = 0;
  p->s.counts.thread_instructions = p->s.counts.committed = p->warps->s.clock.thread_instructions;
}

/* Starts the warps whose start cycle has not been reached. */
static void end_timing(struct sl_vortex_pipeline *p)
{
  p->warps->s.clock.thread_instructions = p->s.counts.thread_instructions;
  if (p->warps->s.sync.spawning)
    sl_ipdom_begin_spawned(p->warps);
}

void sl_vortex_switch(struct sl_vortex_gpu *sm, bool timing)
{
  if (timing == sm->s.timing || sm->s.state != SL_SM_RUNNING)
    return;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (!timing)
      end_timing(&sm->timed.pipeline[c]);
    else if (sm->s.instructions > 0)
      begin_timing(&sm->timed.pipeline[c]);
}

static bool drained(const struct sl_vortex_gpu *sm)
{
  const struct sl_vortex_timed *t = &sm->timed;
  if (t->s.cycle != t->s.end)
    return false;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (t->pipeline[c].s.total_in_flight != 0)
      return false;
  return true;
}

static void hold(struct sl_vortex_gpu *sm, sl_warps warps)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sm->timed.pipeline[c].held = warps;
}

/* Runs to the end of a quantum, where the cores' stores have reached memory. */
bool sl_vortex_drain(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  const struct sl_vortex_timed *t = &sm->timed;
  const uint64_t end = sm->s.cycle + cycles;
  const uint32_t environment = sl_fp_enter();
  hold(sm, sl_low_bits(sm->spec.warps));
  while (sm->s.cycle < end && sm->s.state == SL_SM_RUNNING && !drained(sm))
    sl_vortex_run_timed(sm, t->s.cycle < t->s.end ? t->s.end - t->s.cycle : t->quantum);
  hold(sm, 0);
  sl_fp_leave(environment);
  return sm->s.state == SL_SM_RUNNING && drained(sm);
}

/* Timed execution fills first-level caches within some thousand instructions. Stale lines before that change estimates
 * by less than the seeds do (docs/explanation/sampling.md). */
void sl_vortex_warm_caches(struct sl_sm *handle, bool warm_up_follows)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sm->warms = !warm_up_follows || sm->timed.memory.l2->enabled || sm->timed.memory.l3.enabled;
}

unsigned sl_vortex_population(const struct sl_sm *handle)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  unsigned population = 0;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    population += sl_count(sm->core[c].warps.s.sync.active);
  return population;
}

uint64_t sl_vortex_issued(const struct sl_sm *handle, unsigned warp)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  return sm->timed.pipeline[warp / sm->spec.warps].s.counts.by_warp[warp % sm->spec.warps];
}
