/* The performance counters that a program reads: CSRs 0xB03 to 0xB1F, of the class that key performance.class selects
 * (in the published sources, a register that the host writes). As in the published sources, sums of latencies grow in
 * every cycle by the number of outstanding requests. */
#include "machine/vortex/vortex_performance.h"

#include "machine/vortex/core/vortex_frontend.h"

enum { CORE = 1, MEMORY = 2, COUNTERS = 29 };

/* Outstanding requests count up to now. */
static uint64_t latency(uint64_t ended, uint64_t begun, uint64_t answered, uint64_t cycle)
{
  return ended + (begun - answered) * cycle;
}

static uint64_t of_core(const struct sl_vortex_pipeline *p, unsigned index)
{
  const struct sl_vortex_counts *c = &p->s.counts;
  const struct sl_vortex_fetches to_come = sl_vortex_fetches_to_come(p);
  const uint64_t fetched = c->ifetches - to_come.decoded;
  const uint64_t counters[COUNTERS] = {
      [0] = c->schedule_idle,
      [2] = c->ibuffer_stalls,
      [3] = c->scoreboard_stalls,
      [4] = c->operand_stalls,
      [5] = c->stalls_alu,
      [6] = c->stalls_fpu,
      [7] = c->stalls_lsu,
      [8] = c->stalls_sfu,
      [9] = c->stalls_csr,
      [10] = c->stalls_control,
      [11] = fetched,
      [12] = c->loads,
      [13] = c->stores,
      [14] = latency(c->fetch_latency - to_come.cycles, c->scheduled, fetched, p->s.cycle),
      [15] = latency(c->load_latency, c->loads, c->loaded, p->s.cycle),
  };
  return counters[index];
}

/* The six counters of a second- or third-level cache. */
static void add_level(uint64_t counters[6], const struct sl_vortex_level *level)
{
  if (!level->enabled)
    return;
  const struct sl_cache_counts *c = &level->cache.s.counts;
  const uint64_t more[6] = {c->reads, c->writes, c->read_misses, c->write_misses, c->bank_stalls, c->mshr_stalls};
  for (unsigned i = 0; i < 6; i++)
    counters[i] += more[i];
}

/* Of the core's socket and cluster, and of all memory. */
static uint64_t of_memory(const struct sl_vortex_gpu *sm, unsigned core, unsigned index)
{
  const struct sl_vortex_timed *t = &sm->timed;
  const struct sl_vortex_memory *m = &t->memory;
  const struct sl_vortex_socket *s = &t->socket[core / sl_vortex_socket_cores(&sm->spec)];
  const struct sl_cache_counts *i = &s->icache.s.counts, *d = &s->dcache.s.counts;
  const struct sl_vortex_counts *c = &t->pipeline[core].s.counts;
  uint64_t counters[COUNTERS] = {
      i->reads - sl_vortex_fetches_to_come(s->core).reads,
      i->read_misses,
      i->mshr_stalls,
      d->reads,
      d->writes,
      d->read_misses,
      d->write_misses,
      d->bank_stalls,
      d->mshr_stalls,
      [21] = m->s.counts.reads,
      [22] = m->s.counts.writes,
      [23] = latency(m->s.counts.latency, m->s.counts.reads, m->s.counts.answers, m->s.cycle),
      [24] = c->local_passes - c->local_writes,
      [25] = c->local_writes,
      [26] = c->local_stalls,
  };
  add_level(&counters[9], &m->l2[core / (sm->spec.cores / sm->spec.clusters)]);
  add_level(&counters[15], &m->l3);
  return counters[index];
}

uint64_t sl_vortex_performance(const void *context, unsigned class, unsigned index)
{
  const struct sl_vortex_view *view = context;
  const struct sl_vortex_gpu *sm = view->sm;
  if (!sm->s.timing || index >= COUNTERS)
    return 0;
  return class == CORE     ? of_core(&sm->timed.pipeline[view->core], index)
         : class == MEMORY ? of_memory(sm, view->core, index)
                           : 0;
}
