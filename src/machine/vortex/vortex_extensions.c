#include "machine/vortex/vortex_gpu.h"

#include <stdlib.h>

#include "func/extensions/hardware_loops.h"
#include "func/ipdom_execute.h"
#include "machine/vortex/core/vortex_frontend.h"
#include "timing/pipeline/stream_engine.h"

/* The performance counters that a program reads: CSRs 0xB03 to 0xB1F, of the class that key performance.class selects
 * (in the published sources, a register that the host writes). As in the published sources, sums of latencies grow in
 * every cycle by the number of outstanding requests. */

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

static enum sl_status add_loops(struct sl_ipdom_warps *w, const struct sl_vortex_spec *s, struct sl_loops **loops,
                                struct sl_error *err)
{
  *loops = calloc(1, sizeof **loops);
  if (*loops == NULL)
    return sl_no_memory(err, sizeof **loops);
  sl_ipdom_extend(w, &sl_loops_extension, *loops);
  return sl_loops_init(*loops, s->loops, s->warps, (enum sl_loops_blocking)s->loops_blocking, err);
}

static enum sl_status add_streams(struct sl_ipdom_warps *w, const struct sl_vortex_spec *s, struct sl_loops *loops,
                                  struct sl_error *err)
{
  enum { WINDOW = 64, FRONT = 2 /* fetched, and at decode */ };
  SL_HOLDS(WINDOW, SL_VORTEX_IBUFFER + FRONT, "instructions of a warp before issue");
  const struct sl_streams_spec spec = {
      .count = s->streams,
      .credits = s->stream_credits,
      .lines = s->stream_lines,
      .timed = true,
      .window = WINDOW,
      .local_base = s->local_base,
      .local_bytes = s->local_bytes,
      .access = sl_ipdom_access,
  };
  struct sl_streams *streams = calloc(1, sizeof *streams);
  if (streams == NULL)
    return sl_no_memory(err, sizeof *streams);
  sl_ipdom_extend(w, &sl_streams_extension, streams);
  return sl_streams_init(streams, &spec, w, loops, err);
}

enum sl_status sl_vortex_extend(struct sl_ipdom_warps *w, const struct sl_vortex_spec *spec, struct sl_error *err)
{
  struct sl_loops *loops = NULL;
  enum sl_status code = SL_OK;
  if (spec->loops > 0)
    code = add_loops(w, spec, &loops, err);
  if (code == SL_OK && spec->streams > 0)
    code = add_streams(w, spec, loops, err);
  return code;
}

/* CSR writes of the extensions that fetch waits for: the mapping of a stream, and those to loops that `loops.blocking`
 * selects. decision: fetch does not know whether a write to the bound sets the enable bit, so all such writes count. */
unsigned sl_vortex_extension_waits(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  const unsigned reg = sl_extension_csr_register(in->csr);
  if (spec->streams > 0 && sl_is_extension_csr(in->csr, SL_UNIT_STREAM))
    return SL_VORTEX_UNIT_WAITS | (sl_streams_csr_blocks(in->csr) ? SL_VORTEX_FETCH_WAITS : 0u);
  if (spec->loops == 0 || !sl_is_extension_csr(in->csr, SL_UNIT_LOOP))
    return 0;
  const bool waits = spec->loops_blocking == SL_LOOPS_BLOCK_ALL ||
                     (spec->loops_blocking == SL_LOOPS_BLOCK_ENABLE && reg == SL_LOOP_BOUND);
  return waits ? SL_VORTEX_FETCH_WAITS : 0;
}

static const struct sl_streams *streams_of(const struct sl_ipdom_warps *w)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind == &sl_streams_extension)
      return w->extension[i].state;
  return NULL;
}

uint64_t sl_vortex_extension_count(const struct sl_ipdom_warps *w, enum sl_vortex_extension_counter counter)
{
  const struct sl_streams *s = streams_of(w);
  if (s == NULL)
    return 0;
  switch (counter) {
  case SL_VORTEX_ELEMENTS_READ: return s->s.counters.elements_read;
  case SL_VORTEX_ELEMENTS_WRITTEN: return s->s.counters.elements_written;
  case SL_VORTEX_EXTENSION_LINES: return s->s.counters.lines_read + s->s.counters.lines_written;
  }
  return 0;
}
