/* The state of a Vortex GPU in checkpoints: tables and walks of sockets, memory and the GPU. Code belongs to the
 * program. */
#include "machine/machine_state.h"
#include "machine/vortex/vortex_gpu.h"
#include "timing/memory/cache.h"
#include "timing/memory/memory_port.h"

/* ---- reads in flight: tags name cores and instructions, or the cache that waits for the line ----------------------
 */

enum { CORES = SL_LIMITS - 2, SOCKET }; /* beside the limits of caches and memory */

/* A line on its way to an instruction of a socket: it has one of its core's tags. */
bool sl_vortex_give_line(struct sl_archive *t, uint64_t socket, uint64_t tag, bool is_read)
{
  sl_archive_give(t, SL_GIVEN_LINE, socket, tag, is_read);
  return sl_archive_give(t, SL_GIVEN_TAG, socket, tag >> SL_CORE_SHIFT, is_read);
}

static void read_code(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  (void)line;
  sl_archive_give(t, SL_GIVEN_FETCH, (uint64_t)t->limits.value[SOCKET], tag, 1);
}

/* A line for an instruction or an extension. */
static void read_data(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  const uint64_t socket = (uint64_t)t->limits.value[SOCKET];
  (void)line;
  if (tag & SL_PORT_TAG)
    sl_archive_give(t, SL_GIVEN_PORT, socket, tag & ~(uint64_t)SL_PORT_TAG, 1);
  else
    sl_vortex_give_line(t, socket, tag, true);
}

/* A read behind the sockets, for a core or for the cache of that tag. */
static void read_memory(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  if ((tag & SL_SOURCE_MASK) == SL_SOURCE_IO)
    sl_vortex_give_line(t, tag >> SL_SOURCE_BITS & SL_SOCKET_MASK, tag >> (SL_SOURCE_BITS + SL_SOCKET_BITS), true);
  else
    sl_archive_give(t, 0, tag, line, 1);
}

static void read_dram(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  (void)line;
  read_memory(t, (uint32_t)tag, (uint32_t)(tag >> SL_LINE_SHIFT));
}

static bool is_returned(struct sl_archive *t, const struct sl_vortex_return *r)
{
  const uint64_t socket = (uint64_t)t->limits.value[SOCKET];
  return r->source == SL_SOURCE_IO ? sl_vortex_give_line(t, socket, r->line, true)
                                   : sl_archive_give(t, 0, r->source | socket << SL_SOURCE_BITS, r->line, 1);
}

/* ---- caches and sockets ------------------------------------------------------------------------------------------ */

static SL_SCHEMA(socket_schema, struct sl_vortex_socket_state, NULL, SL_BELOW_LIMIT(CORES, fetch_turn, line_turn),
                 SL_BELOW(SL_SOURCE_COUNT, memory_turn), SL_ANY(cycle, return_first, return_count, return_from),
                 SL_ANY(io_first, io_count));
static SL_CHECKED_SCHEMA(return_schema, struct sl_vortex_return, is_returned(t, self), SL_ANY(cycle, line),
                         SL_BELOW(SL_SOURCE_COUNT, source));
static SL_CHECKED_SCHEMA(io_schema, struct sl_vortex_io,
                         sl_vortex_give_line(t, (uint64_t)limit[SOCKET], self->tag, !self->write),
                         SL_ANY(cycle, line, tag, write));

static void walk_socket(struct sl_vortex_socket *s, unsigned number, struct sl_archive *t)
{
  t->limits.value[CORES] = s->count;
  t->limits.value[SOCKET] = number;
  sl_archive_structs(t, "socket", socket_schema, &s->s, 1);
  sl_archive_ring(t, "returns", return_schema, s->returns, s->return_ring, s->s.return_first, s->s.return_count);
  sl_archive_ring(t, "io", io_schema, s->io, SL_VORTEX_IOS, s->s.io_first, s->s.io_count);
  t->read = read_code;
  sl_cache_walk(&s->icache, SL_SOURCE_ICACHE | number << SL_SOURCE_BITS, t);
  t->read = read_data;
  sl_cache_walk(&s->dcache, SL_SOURCE_DCACHE | number << SL_SOURCE_BITS, t);
}

/* ---- behind the sockets ------------------------------------------------------------------------------------------ */

static SL_CHECKED_SCHEMA(request_schema, struct sl_vortex_request,
                         sl_archive_read(t, !self->write, self->tag, self->line), SL_ANY(cycle, line, tag, write));
static SL_SCHEMA(level_schema, struct sl_vortex_level_state, NULL, SL_ANY(first, count),
                 SL_RING_OF(request_schema, waiting, first, count));

static void walk_level(struct sl_vortex_level *l, uint32_t reader, struct sl_archive *t)
{
  if (!l->enabled)
    return;
  t->read = read_memory;
  sl_archive_structs(t, "level", level_schema, &l->s, 1);
  sl_cache_walk(&l->cache, reader, t);
}

static SL_SCHEMA(memory_counts_schema, struct sl_vortex_memory_counts, NULL, SL_ANY(reads, writes, answers, latency));
static SL_SCHEMA(memory_schema, struct sl_vortex_memory_state, NULL, SL_ANY(asking, cycle),
                 SL_STRUCTS(memory_counts_schema, counts));

static void walk_memory(struct sl_vortex_memory *m, struct sl_archive *t)
{
  sl_archive_structs(t, "memory", memory_schema, &m->s, 1);
  SL_ARCHIVE_BELOW(t, m->sockets, m->slice, m->clusters);
  for (unsigned c = 0; c < m->clusters; c++)
    walk_level(&m->l2[c], SL_SOURCE_COUNT | c << SL_SOURCE_BITS, t);
  walk_level(&m->l3, SL_SOURCE_COUNT | 1u << (SL_SOURCE_BITS + SL_SOCKET_BITS), t);
  t->read = read_dram;
  sl_memory_port_walk(&m->dram, t);
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(timed_schema, struct sl_vortex_timed_state, NULL, SL_MOST(SL_CYCLES_MAX - 1, cycle),
                 SL_ANY(end, quiet));
static SL_SCHEMA(gpu_schema, struct sl_vortex_gpu_state, NULL, SL_ANY(timing, launches, instructions, in_kernel),
                 SL_MOST(SL_CYCLES_MAX - 1, cycle), SL_STRUCTS(sl_vortex_console_schema, console));

void sl_vortex_walk(struct sl_sm *handle, struct sl_archive *archive)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sl_archive_structs(archive, "gpu", gpu_schema, &sm->s, 1);
  sl_archive_structs(archive, "head", sl_sm_schema, handle, 1);
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_ipdom_warps *w = &sm->core[c].warps;
    sl_ipdom_walk(w, archive);
    for (unsigned i = 0; i < w->extensions; i++)
      w->extension[i].kind->walk(w->extension[i].state, archive);
    sl_vortex_core_walk(&sm->timed.pipeline[c], archive);
  }
  for (unsigned s = 0; s < sm->timed.sockets; s++)
    walk_socket(&sm->timed.socket[s], s, archive);
  sl_archive_structs(archive, "timed", timed_schema, &sm->timed.s, 1);
  walk_memory(&sm->timed.memory, archive);
}

/* A restored run has no fault. */
void sl_vortex_derive(struct sl_sm *handle)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sl_vortex_memory_derive(&sm->timed.memory);
  sm->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_ipdom_warps *w = &sm->core[c].warps;
    w->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
    sl_vortex_core_derive(&sm->timed.pipeline[c]);
    for (unsigned i = 0; i < w->extensions; i++)
      if (w->extension[i].kind->derive != NULL)
        w->extension[i].kind->derive(w->extension[i].state);
  }
}
