#include "machine/vortex/vortex_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/thread_pool.h"
#include "func/ipdom_execute.h"
#include "machine/vortex/core/vortex_stages.h"
#include "machine/vortex/core/vortex_units.h"

static bool touch_level(struct sl_vortex_level *level, uint32_t line, bool write)
{
  return !level->enabled || sl_cache_touch(&level->cache, line, write);
}

static void touch(struct sl_vortex_gpu *sm, unsigned core, struct sl_cache *first, uint32_t line, bool write)
{
  struct sl_vortex_memory *m = &sm->timed.memory;
  const unsigned cluster = core / (sm->spec.cores / sm->spec.clusters);
  if (sl_cache_touch(first, line, write) && touch_level(&m->l2[cluster], line, write))
    touch_level(&m->l3, line, write);
}

/* Consecutive lanes in the same line request it once. */
static void touch_lanes(struct sl_vortex_gpu *sm, unsigned core, struct sl_cache *dcache,
                        const struct sl_ipdom_execution *ex, bool write)
{
  uint32_t last = SL_NO_LINE;
  for (sl_lanes rest = ex->active & ~ex->local & ~ex->io; rest; rest &= rest - 1) {
    const uint32_t line = ex->address[sl_lowest(rest)] >> SL_LINE_BITS;
    if (line != last)
      touch(sm, core, dcache, line, write);
    last = line;
  }
}

void sl_vortex_warm(struct sl_vortex_gpu *sm, unsigned core, const struct sl_ipdom_execution *ex)
{
  struct sl_vortex_socket *socket = &sm->timed.socket[core / sl_vortex_socket_cores(&sm->spec)];
  touch(sm, core, &socket->icache, ex->pc >> SL_LINE_BITS, false);
  switch (ex->insn->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_AMO: touch_lanes(sm, core, &socket->dcache, ex, false); break;
  case SL_KIND_STORE: touch_lanes(sm, core, &socket->dcache, ex, true); break;
  case SL_KIND_FENCE:
    if (sm->spec.fence_flushes)
      sl_cache_forget(&socket->dcache);
    break;
  default: break;
  }
}

/* Idle cycles after which the run is deadlocked. */
enum { DEADLOCK = 1024 };

/* Result of a socket at the end of a quantum. The thread that evaluates it then need not fetch the state of every core
 * from another host core's cache. */
enum news {
  NEWS_ACTIVE = 1,    /* some core has an active warp or an instruction in flight, */
  NEWS_UNDER_WAY = 2, /* an instruction in flight, */
  NEWS_FAULT = 4,     /* has faulted, */
  NEWS_AT_GLOBAL = 8, /* has a warp at a global barrier, */
  NEWS_STORES = 16,   /* has stored, */
  NEWS_REQUESTS = 32  /* the socket has made memory requests */
};

/* The delay from an atomic's execution until another instruction of its warp can read its rd. If atomics execute at
 * schedule, the warp's next instruction must first be fetched. If they execute at issue, the result must return through
 * LSU and data cache to the scoreboard. */
static unsigned atomic_cycles(const struct sl_vortex_spec *s)
{
  const unsigned shared = sl_vortex_socket_cores(s) > 1 ? 2 * s->socket_delay : 0;
  if (s->execute_at_schedule)
    return s->fetch_delay + s->icache.latency + s->decode_release + shared;
  return s->operands_delay + s->operands_out_delay + s->dispatch_delay + s->dispatch_unit_delay + s->shared_unit_delay +
         s->coalescer_delay + s->dcache.latency + s->lsu_return_delay + s->lsu_response_delay + s->commit_delay;
}

/* Cycles of a quantum. */
static unsigned sl_vortex_quantum(const struct sl_vortex_spec *spec)
{
  const unsigned ahead = sl_vortex_lookahead(spec) + sl_vortex_return_delay(spec), atomic = atomic_cycles(spec);
  return spec->cores == 1 || ahead < atomic ? ahead : atomic;
}

static enum sl_status init_shared(struct sl_vortex_gpu *sm, struct sl_error *err)
{
  struct sl_vortex_timed *t = &sm->timed;
  const unsigned cores = sm->spec.cores;
  t->log = calloc(cores, sizeof(struct sl_store_log *));
  t->notes = sl_lines_of(cores, sizeof *t->notes);
  t->news = calloc(t->sockets, sizeof *t->news);
  bool enough = t->log != NULL && t->notes != NULL && t->news != NULL;
  for (unsigned c = 0; c < cores && cores > 1 && enough; c++) {
    t->log[c] = sl_store_log_create();
    enough = t->log[c] != NULL;
  }
  return enough ? SL_OK : sl_no_memory(err, cores * sizeof *t->notes);
}

enum sl_status sl_vortex_timed_init(struct sl_vortex_gpu *sm, struct sl_error *err)
{
  struct sl_vortex_timed *t = &sm->timed;
  const struct sl_vortex_spec *spec = &sm->spec;
  const unsigned shared = sl_vortex_socket_cores(spec);
  t->sockets = spec->cores / shared;
  t->quantum = sl_vortex_quantum(spec);
  t->lead = sl_vortex_lookahead(spec) < t->quantum ? sl_vortex_lookahead(spec) : t->quantum;
  t->pipeline = sl_lines_of(spec->cores, sizeof *t->pipeline);
  t->socket = sl_lines_of(t->sockets, sizeof *t->socket);
  if (t->pipeline == NULL || t->socket == NULL)
    return sl_no_memory(err, spec->cores * sizeof *t->pipeline);
  enum sl_status code = sl_vortex_memory_init(&t->memory, spec, err);
  if (code == SL_OK)
    code = init_shared(sm, err);
  for (unsigned c = 0; c < spec->cores && code == SL_OK; c++)
    code = sl_vortex_pipeline_init(&t->pipeline[c], spec, &sm->core[c].warps, err);
  for (unsigned s = 0; s < t->sockets && code == SL_OK; s++)
    code = sl_vortex_socket_init(&t->socket[s], spec, &t->pipeline[s * shared], shared, err);
  return code;
}

void sl_vortex_timed_free(struct sl_vortex_gpu *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  sl_thread_pool_free(t->pool);
  for (unsigned c = 0; t->pipeline != NULL && c < sm->spec.cores; c++)
    sl_vortex_pipeline_free(&t->pipeline[c]);
  for (unsigned s = 0; t->socket != NULL && s < t->sockets; s++)
    sl_vortex_socket_free(&t->socket[s]);
  for (unsigned c = 0; t->log != NULL && c < sm->spec.cores; c++)
    sl_store_log_free(t->log[c]);
  for (unsigned c = 0; t->notes != NULL && c < sm->spec.cores; c++)
    sl_vortex_events_free(&t->notes[c]);
  sl_vortex_memory_free(&t->memory);
  free(t->pipeline);
  free(t->socket);
  free(t->log);
  free(t->notes);
  free(t->news);
}

void sl_vortex_timed_start(struct sl_vortex_gpu *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_vortex_pipeline_start(&t->pipeline[c]);
  for (unsigned s = 0; s < t->sockets; s++)
    sl_vortex_socket_start(&t->socket[s]);
  sl_vortex_memory_start(&t->memory);
  t->s.cycle = t->s.end = t->s.quiet = 0;
}

/* The union of all sockets' results. */
static unsigned all_news(const struct sl_vortex_timed *t)
{
  unsigned news = 0;
  for (unsigned s = 0; s < t->sockets; s++)
    news |= t->news[s];
  return news;
}

/* The run ends when no core has an active warp or an instruction in flight. */
static uint64_t end_cycle(const struct sl_vortex_gpu *sm)
{
  uint64_t cycle = 0;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const uint64_t end = sm->timed.pipeline[c].s.end_cycle;
    cycle = end > cycle ? end : cycle;
  }
  return cycle;
}

/* If several cores fault in a quantum, the earliest cycle counts, then the lowest core. */
static void take_fault(struct sl_vortex_gpu *sm)
{
  const struct sl_fault *first = NULL;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const struct sl_vortex_pipeline *p = &sm->timed.pipeline[c];
    if (p->s.faulted && (first == NULL || p->warps->fault.cycle < first->cycle))
      first = &p->warps->fault;
  }
  sm->fault = *first;
  sm->s.cycle = first->cycle;
  sm->base.state = SL_SM_FAULTED;
}

static void open_global_barriers(struct sl_vortex_gpu *sm)
{
  const unsigned cores = sm->spec.cores / sm->spec.clusters;
  sl_warps released[SL_VORTEX_CORES_MAX];
  for (unsigned cluster = 0; cluster < sm->spec.clusters; cluster++)
    if (sl_vortex_open_barriers(sm, cluster, released))
      for (unsigned c = 0; c < cores; c++)
        sl_vortex_pass_barrier(&sm->timed.pipeline[cluster * cores + c], released[c]);
}

static void tell_notes(struct sl_vortex_gpu *sm)
{
  if (sm->observed && !sl_vortex_tell(sm))
    sm->environment.memory->exhausted = true;
}

/* Performs the cores' stores in memory, and delivers their events to observers. */
static void perform(struct sl_vortex_gpu *sm)
{
  const struct sl_vortex_timed *t = &sm->timed;
  for (unsigned s = 0; s < t->sockets; s++)
    for (unsigned c = 0; c < t->socket[s].count && t->news[s] & NEWS_STORES; c++) {
      const unsigned core = s * t->socket[s].count + c;
      sl_ipdom_perform_log(&sm->core[core].warps);
    }
  tell_notes(sm);
}

static void finish(struct sl_vortex_gpu *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_vortex_settle(&sm->timed.pipeline[c], sm->s.cycle);
  tell_notes(sm);
  sl_vortex_console_end(&sm->s.console, sm->environment.print_byte, sm->environment.print_context);
  sm->base.state = SL_SM_DONE;
}

/* Checks between quanta for events that may end or change a run. */
static void look(struct sl_vortex_gpu *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  const unsigned news = all_news(t);
  if (news & NEWS_AT_GLOBAL)
    open_global_barriers(sm);
  if (news & NEWS_FAULT) {
    take_fault(sm);
  } else if (!(news & NEWS_ACTIVE)) {
    sm->s.cycle = end_cycle(sm);
    finish(sm);
  } else {
    t->s.quiet = news & NEWS_UNDER_WAY ? 0 : t->s.quiet + t->quantum;
    if (t->s.quiet > DEADLOCK)
      sl_vortex_deadlock(sm);
  }
}

static uint8_t news_of(const struct sl_vortex_socket *socket)
{
  unsigned news = 0;
  for (unsigned c = 0; c < socket->count; c++) {
    const struct sl_vortex_pipeline *p = &socket->core[c];
    news |= p->s.total_in_flight != 0 ? NEWS_ACTIVE | NEWS_UNDER_WAY : 0;
    news |= p->warps->s.sync.active != 0 ? NEWS_ACTIVE : 0;
    news |= p->s.faulted ? NEWS_FAULT : 0;
    news |= p->warps->s.sync.at_global != 0 ? NEWS_AT_GLOBAL : 0;
    news |= p->warps->log != NULL && !sl_store_log_empty(p->warps->log) ? NEWS_STORES : 0;
  }
  news |= socket->icache.s.miss_count + socket->dcache.s.miss_count + socket->s.io_count != 0 ? NEWS_REQUESTS : 0;
  return (uint8_t)news;
}

static void run_socket(struct sl_vortex_timed *t, struct sl_vortex_socket *socket, uint64_t cycles)
{
  if (SL_CHECKS)
    sl_vortex_run_checked(t, socket, cycles);
  else
    sl_vortex_socket_run(socket, cycles);
  t->news[socket - t->socket] = news_of(socket);
}

static void run_sockets(struct sl_vortex_timed *t, unsigned first, unsigned end, uint64_t cycles)
{
  for (unsigned s = first; s < end; s++)
    run_socket(t, &t->socket[s], cycles);
}

/* A member of the thread pool simulates its share of the sockets. The caller, which also simulates memory, takes the
 * last share: the first core is often the busiest. */
static void run_share(void *context, unsigned member)
{
  struct sl_vortex_timed *t = context;
  const unsigned members = sl_thread_pool_members(t->pool), slice = members - 1 - member;
  run_sockets(t, t->sockets * slice / members, t->sockets * (slice + 1) / members, t->quantum);
}

static void enter(void *context, unsigned member)
{
  (void)context;
  (void)member;
  sl_fp_enter();
}

/* Memory, up to the cycle for which its requests are known. */
static void run_memory(struct sl_vortex_timed *t, uint64_t end)
{
  sl_warps asking = 0;
  for (unsigned s = 0; s < t->sockets; s++)
    asking |= t->news[s] & NEWS_REQUESTS ? sl_bit(s) : 0;
  t->memory.s.asking = asking;
  sl_vortex_memory_run(&t->memory, t->socket, end);
}

enum { QUANTA = 1024 };

/* The number of quanta from this one on, at most QUANTA and within `cycles`, before which memory has nothing to do
 * unless the single core makes a request. */
static uint64_t quanta_without_memory(const struct sl_vortex_timed *t, uint64_t cycles)
{
  const struct sl_vortex_memory *m = &t->memory;
  uint64_t most = cycles < (uint64_t)QUANTA * t->quantum ? cycles : (uint64_t)QUANTA * t->quantum;
  if (m->s.asking != 0 || m->next < m->s.cycle)
    return 1;
  if (m->next - m->s.cycle < most)
    most = m->next - m->s.cycle;
  return (uint32_t)most / t->quantum;
}

/* Simulates several quanta of a single core at once where the exchange between them has nothing to do. Returns the
 * cycles, 0 where that does not apply. */
static uint64_t run_quanta(struct sl_vortex_gpu *sm, uint64_t cycles)
{
  struct sl_vortex_timed *t = &sm->timed;
  struct sl_vortex_socket *socket = t->socket;
  const struct sl_vortex_pipeline *core = socket->core;
  if (SL_CHECKS || sm->spec.cores > 1 || !core->plain || core->watched || sm->observed)
    return 0;
  const uint64_t quanta = quanta_without_memory(t, cycles), begin = socket->s.cycle;
  if (quanta < 2)
    return 0;
  sl_vortex_socket_run_quanta(socket, t->quantum, quanta * t->quantum);
  const uint64_t passed = socket->s.cycle - begin;
  t->news[0] = news_of(socket);
  t->s.cycle += passed;
  t->s.end = t->s.cycle;
  t->memory.s.cycle += passed - t->quantum;
  t->s.quiet = passed > t->quantum ? 0 : t->s.quiet;
  return passed;
}

/* Up to the end of the quantum; with one core at most up to `cycles`. */
static uint64_t run_quantum(struct sl_vortex_gpu *sm, uint64_t cycles)
{
  struct sl_vortex_timed *t = &sm->timed;
  if (t->s.cycle == t->s.end) {
    run_memory(t, t->s.cycle + t->lead);
    const uint64_t passed = run_quanta(sm, cycles);
    if (passed > 0)
      return passed;
    t->s.end = t->s.cycle + t->quantum;
  }
  uint64_t quantum = t->s.end - t->s.cycle;
  if (sm->spec.cores == 1 && cycles < quantum)
    quantum = cycles;
  if (t->pool != NULL)
    sl_thread_pool_run(t->pool);
  else
    run_sockets(t, 0, t->sockets, quantum);
  t->s.cycle += quantum;
  return quantum;
}

void sl_vortex_pass_quantum(struct sl_vortex_gpu *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_vortex_look_at_all(&t->pipeline[c]);
  run_memory(t, t->s.cycle + t->lead);
  run_sockets(t, 0, t->sockets, t->quantum);
  t->s.cycle = t->s.end = t->s.cycle + t->quantum;
  if (sm->spec.cores > 1)
    perform(sm);
}

static void hire(struct sl_vortex_gpu *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  const uint64_t threads = sm->environment.threads;
  if (t->pool == NULL && threads > 1 && t->sockets > 1)
    t->pool = sl_thread_pool_create(threads < t->sockets ? (unsigned)threads : t->sockets, enter, run_share, t);
}

enum sl_sm_state sl_vortex_run_timed(struct sl_vortex_gpu *sm, uint64_t cycles)
{
  struct sl_vortex_timed *t = &sm->timed;
  hire(sm);
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_vortex_look_at_all(&t->pipeline[c]);
  for (unsigned s = 0; s < t->sockets; s++)
    t->news[s] = news_of(&t->socket[s]);
  while (cycles > 0 && sm->base.state == SL_SM_RUNNING) {
    const uint64_t passed = run_quantum(sm, cycles);
    cycles -= passed < cycles ? passed : cycles;
    sm->s.cycle = t->s.cycle;
    if (t->s.cycle == t->s.end) {
      if (sm->spec.cores > 1) {
        perform(sm);
        sl_vortex_kernels(sm);
      }
      look(sm);
    } else if (all_news(t) & NEWS_FAULT) {
      take_fault(sm); /* a run that pauses within the quantum needs it */
    }
    if (sm->base.state == SL_SM_RUNNING && sl_probes_stopped(sm->environment.probes))
      sm->base.state = SL_SM_STOPPED;
  }
  return sm->base.state;
}

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
  if (timing == sm->s.timing || sm->base.state != SL_SM_RUNNING)
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
  while (sm->s.cycle < end && sm->base.state == SL_SM_RUNNING && !drained(sm))
    sl_vortex_run_timed(sm, t->s.cycle < t->s.end ? t->s.end - t->s.cycle : t->quantum);
  hold(sm, 0);
  sl_fp_leave(environment);
  return sm->base.state == SL_SM_RUNNING && drained(sm);
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
