/* Validates a Vortex GPU that was restored from a file: each instruction and each line is in flight exactly once. */
#include <stdlib.h>

#include "func/state/warp_schema.h"
#include "machine/vortex/core/vortex_places.h"
#include "machine/vortex/vortex_gpu.h"
#include "machine/vortex/vortex_timed.h"
#include "timing/memory/cache.h"
#include "timing/memory/memory_port.h"

/* Objects found in the memory system, by their receiver: lines by the cache that waits for them, all others by the
 * core. */
struct census {
  const struct sl_vortex_gpu *sm;
  struct sl_vortex_stock *stock; /* of each core */
  struct sl_vortex_tally *tally;
  struct sl_extension_flight *flight;
  uint8_t **mark; /* of each cache */
  uint8_t *marks;
};

/* ---- caches by number: two of each socket, those of clusters, the third level ------------------------------------ */

static unsigned cache_count(const struct sl_vortex_timed *t)
{
  return 2 * t->sockets + t->memory.clusters + 1;
}

/* NULL: there is none. */
static const struct sl_cache *cache_of(const struct sl_vortex_timed *t, unsigned number)
{
  if (number < 2 * t->sockets)
    return number % 2 == SL_SOURCE_ICACHE ? &t->socket[number / 2].icache : &t->socket[number / 2].dcache;
  const struct sl_vortex_level *level =
      number < cache_count(t) - 1 ? &t->memory.l2[number - 2 * t->sockets] : &t->memory.l3;
  return level->enabled ? &level->cache : NULL;
}

static bool expect(const struct census *c, unsigned number, uint32_t line)
{
  const struct sl_cache *cache = number < cache_count(&c->sm->timed) ? cache_of(&c->sm->timed, number) : NULL;
  return cache != NULL && sl_cache_expects(cache, c->mark[number], line);
}

/* ---- the census -------------------------------------------------------------------------------------------------- */

static void release(struct census *c)
{
  free(c->stock);
  free(c->tally);
  free(c->flight);
  free(c->mark);
  free(c->marks);
}

static bool prepare(struct census *c)
{
  const struct sl_vortex_timed *t = &c->sm->timed;
  const unsigned cores = c->sm->spec.cores, caches = cache_count(t), ops = t->pipeline->op_count;
  size_t slots = 0;
  for (unsigned i = 0; i < caches; i++)
    slots += cache_of(t, i) != NULL ? sl_cache_slots(cache_of(t, i)) : 0;
  c->stock = calloc(cores, sizeof *c->stock);
  c->tally = calloc((size_t)cores * ops, sizeof *c->tally);
  c->flight = calloc(ops, sizeof *c->flight);
  c->mark = calloc(caches, sizeof *c->mark);
  c->marks = calloc(slots, sizeof *c->marks);
  if (c->stock == NULL || c->tally == NULL || c->flight == NULL || c->mark == NULL || c->marks == NULL)
    return false;
  for (unsigned i = 0; i < cores; i++)
    c->stock[i] = (struct sl_vortex_stock){.op = c->tally + (size_t)i * ops, .ops = ops, .flight = c->flight};
  uint8_t *next = c->marks;
  for (unsigned i = 0; i < caches; i++) {
    c->mark[i] = next;
    next += cache_of(t, i) != NULL ? sl_cache_slots(cache_of(t, i)) : 0;
  }
  return true;
}

/* The stock of a core of a socket; NULL: there is none. */
static struct sl_vortex_stock *stock_of(const struct census *c, unsigned socket, unsigned core)
{
  const struct sl_vortex_timed *t = &c->sm->timed;
  return socket < t->sockets && core < t->socket[socket].count ? &c->stock[socket * t->socket[socket].count + core]
                                                               : NULL;
}

/* An I/O access, by its tag in the socket. */
static bool find_io(const struct census *c, unsigned socket, uint32_t tag)
{
  struct sl_vortex_stock *stock = stock_of(c, socket, tag >> SL_CORE_SHIFT);
  return stock != NULL && sl_vortex_line_found(stock, tag & SL_OP_MASK);
}

/* A read behind the sockets. */
static bool find_read(void *context, uint32_t tag, uint32_t line)
{
  const struct census *c = context;
  const struct sl_vortex_timed *t = &c->sm->timed;
  const unsigned source = tag & SL_SOURCE_MASK, number = tag >> SL_SOURCE_BITS & SL_SOCKET_MASK;
  const uint32_t rest = tag >> (SL_SOURCE_BITS + SL_SOCKET_BITS);
  if (source == SL_SOURCE_IO)
    return find_io(c, number, rest);
  if (source != SL_SOURCE_COUNT)
    return rest == 0 && number < t->sockets && expect(c, number * 2 + source, line);
  if (rest == 0)
    return number < t->memory.clusters && expect(c, 2 * t->sockets + number, line);
  return rest == 1 && number == 0 && expect(c, cache_count(t) - 1, line);
}

static bool find_in_dram(void *context, uint64_t tag)
{
  return find_read(context, (uint32_t)tag, (uint32_t)(tag >> SL_LINE_SHIFT));
}

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

/* A socket's first-level caches know cores and instructions. */
struct at_socket {
  const struct census *census;
  unsigned socket;
};

static bool find_fetch(void *context, uint32_t tag, uint32_t line)
{
  const struct at_socket *at = context;
  struct sl_vortex_stock *stock = stock_of(at->census, at->socket, tag >> SL_CORE_SHIFT);
  (void)line;
  return stock != NULL && sl_vortex_fetch_found(stock, tag & SL_OP_MASK);
}

static bool find_line(void *context, uint32_t tag, uint32_t line)
{
  const struct at_socket *at = context;
  struct sl_vortex_stock *stock = stock_of(at->census, at->socket, (tag & ~(uint32_t)SL_PORT_TAG) >> SL_CORE_SHIFT);
  (void)line;
  if (stock == NULL)
    return false;
  return tag & SL_PORT_TAG ? sl_vortex_port_found(stock, tag & SL_OP_MASK)
                           : sl_vortex_line_found(stock, tag & SL_OP_MASK);
}

static bool returns_valid(const struct census *c, unsigned number)
{
  const struct sl_vortex_socket *socket = &c->sm->timed.socket[number];
  if (socket->s.return_first >= socket->return_ring || socket->s.return_count > socket->return_ring)
    return false;
  for (uint32_t i = 0; i < socket->s.return_count; i++) {
    const struct sl_vortex_return *r = &socket->returns[(socket->s.return_first + i) & (socket->return_ring - 1)];
    if (!(r->source == SL_SOURCE_IO ? find_io(c, number, r->line) : expect(c, number * 2 + r->source, r->line)))
      return false;
  }
  return true;
}

static bool io_valid(const struct census *c, unsigned number)
{
  const struct sl_vortex_socket *socket = &c->sm->timed.socket[number];
  for (uint32_t i = 0; i < socket->s.io_count; i++) {
    const struct sl_vortex_io *io = &socket->io[(socket->s.io_first + i) % SL_VORTEX_IOS];
    if (!io->write && !find_io(c, number, io->tag))
      return false;
  }
  return true;
}

static bool socket_valid(const struct census *c, unsigned number)
{
  const struct sl_vortex_timed *t = &c->sm->timed;
  const struct sl_vortex_socket *socket = &t->socket[number];
  struct at_socket at = {c, number};
  if (socket->s.cycle != t->s.cycle || socket->s.fetch_turn >= socket->count || socket->s.line_turn >= socket->count ||
      !sl_cache_valid(&socket->icache) || !sl_cache_valid(&socket->dcache))
    return false;
  return sl_cache_each_read(&socket->icache, find_fetch, &at) && sl_cache_each_read(&socket->dcache, find_line, &at) &&
         returns_valid(c, number) && io_valid(c, number);
}

/* ---- behind the sockets ------------------------------------------------------------------------------------------ */

static bool level_valid(const struct census *c, const struct sl_vortex_level *level)
{
  if (!level->enabled)
    return true;
  if (!sl_cache_valid(&level->cache))
    return false;
  for (unsigned i = 0; i < level->s.count; i++) {
    const struct sl_vortex_request *r = &level->s.waiting[(level->s.first + i) % SL_VORTEX_REQUESTS];
    if (!r->write && !find_read((void *)(uintptr_t)c, r->tag, r->line))
      return false;
  }
  return sl_cache_each_read(&level->cache, find_read, (void *)(uintptr_t)c);
}

/* Memory is simulated as far ahead of the sockets as at the beginning of the quantum. */
static bool memory_valid(const struct census *c)
{
  const struct sl_vortex_timed *t = &c->sm->timed;
  const struct sl_vortex_memory *m = &t->memory;
  const uint64_t end = t->s.end;
  if (m->s.cycle != (end == 0 ? 0 : end - t->quantum + t->lead) || !sl_memory_port_valid(&m->dram, m->s.cycle) ||
      !sl_memory_port_each_read(&m->dram, find_in_dram, (void *)(uintptr_t)c) || !level_valid(c, &m->l3))
    return false;
  for (unsigned cluster = 0; cluster < m->clusters; cluster++)
    if (!level_valid(c, &m->l2[cluster]))
      return false;
  return true;
}

/* Every line that a cache has requested is outstanding exactly once. */
static bool lines_valid(const struct census *c)
{
  const struct sl_vortex_timed *t = &c->sm->timed;
  for (unsigned i = 0; i < cache_count(t); i++) {
    const struct sl_cache *cache = cache_of(t, i);
    if (cache != NULL && (!sl_cache_expects_own(cache, c->mark[i]) || !sl_cache_complete(cache, c->mark[i])))
      return false;
  }
  return true;
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

static bool times_valid(const struct sl_vortex_gpu *sm)
{
  const struct sl_vortex_timed_state *s = &sm->timed.s;
  return s->cycle <= s->end && s->end - s->cycle <= sm->timed.quantum && (s->end == 0 || s->end >= sm->timed.quantum) &&
         (sm->spec.cores == 1 || s->end == s->cycle);
}

static bool cores_valid(const struct census *c)
{
  for (unsigned core = 0; core < c->sm->spec.cores; core++)
    if (c->sm->timed.pipeline[core].s.cycle != c->sm->timed.s.cycle ||
        !sl_vortex_core_valid(&c->sm->timed.pipeline[core], &c->stock[core]))
      return false;
  return true;
}

static bool timed_valid(const struct census *c)
{
  for (unsigned s = 0; s < c->sm->timed.sockets; s++)
    if (!socket_valid(c, s))
      return false;
  return memory_valid(c) && lines_valid(c) && cores_valid(c);
}

/* Without timing, and before the first launch, the pipelines are unused: they hold only data about the program. */
static bool idle_valid(struct sl_vortex_gpu *sm, bool timing)
{
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const struct sl_ipdom_warps *w = &sm->core[c].warps;
    if (!sl_vortex_core_unused(&sm->timed.pipeline[c]))
      return false;
    for (unsigned i = 0; i < w->extensions; i++) {
      const struct sl_extension *e = &w->extension[i];
      if (e->kind->set_timed != NULL)
        e->kind->set_timed(e->state, timing);
      if (!e->kind->valid(e->state, NULL, 0))
        return false;
    }
  }
  return true;
}

/* State visible to programs. */
static bool function_valid(const struct sl_vortex_gpu *sm, bool timing)
{
  const struct sl_vortex_gpu_state *s = &sm->s;
  if ((s->timing && !timing) || (s->state == SL_SM_IDLE) != (s->launches == 0) ||
      !sl_time_slice_valid(&sm->base.slice, sm->spec.cores * sm->spec.warps))
    return false;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const struct sl_ipdom_warps *w = &sm->core[c].warps;
    const enum sl_ipdom_ends ends = timing ? SL_IPDOM_ENDS_LATER : SL_IPDOM_ENDS_AT_ONCE;
    if (!sl_ipdom_valid(w, ends) || (s->launches == 0 && w->s.sync.active != 0))
      return false;
  }
  return true;
}

enum sl_status sl_vortex_valid(struct sl_sm *handle, bool timing)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  struct census c = {.sm = sm};
  if (!function_valid(sm, timing))
    return SL_USAGE;
  if (!timing || sm->s.launches == 0)
    return idle_valid(sm, timing) ? SL_OK : SL_USAGE;
  enum sl_status code = SL_INTERNAL;
  if (prepare(&c))
    code = times_valid(sm) && timed_valid(&c) ? SL_OK : SL_USAGE;
  release(&c);
  return code;
}
