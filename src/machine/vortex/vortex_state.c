/* The state of a Vortex GPU in checkpoints: tables and walks of sockets, memory and the GPU. Code belongs to the
 * program. */
#include "func/state/warp_schema.h"
#include "machine/machine_state.h"
#include "machine/vortex/vortex_gpu.h"
#include "timing/memory/cache.h"
#include "timing/memory/memory_port.h"

/* ---- caches and sockets ------------------------------------------------------------------------------------------ */

enum { CORES = SL_LIMIT_OWN };

static SL_SCHEMA(socket_schema, struct sl_vortex_socket_state, NULL, SL_BELOW_LIMIT(CORES, fetch_turn, line_turn),
                 SL_BELOW(SL_SOURCE_COUNT, memory_turn), SL_ANY(cycle, return_first, return_count, return_from),
                 SL_ANY(io_first, io_count));
static SL_SCHEMA(return_schema, struct sl_vortex_return, NULL, SL_ANY(cycle, line), SL_BELOW(SL_SOURCE_COUNT, source));
static SL_SCHEMA(io_schema, struct sl_vortex_io, NULL, SL_ANY(cycle, line, tag, write));

static void walk_socket(struct sl_vortex_socket *s, struct sl_archive *archive)
{
  archive->limits.value[CORES] = s->count;
  sl_archive_structs(archive, "socket", socket_schema, &s->s, 1);
  sl_archive_ring(archive, "returns", return_schema, s->returns, s->return_ring, s->s.return_first, s->s.return_count);
  sl_archive_ring(archive, "io", io_schema, s->io, SL_VORTEX_IOS, s->s.io_first, s->s.io_count);
  sl_cache_walk(&s->icache, archive);
  sl_cache_walk(&s->dcache, archive);
}

/* ---- behind the sockets ------------------------------------------------------------------------------------------ */

static SL_SCHEMA(request_schema, struct sl_vortex_request, NULL, SL_ANY(cycle, line, tag, write));
static SL_SCHEMA(level_schema, struct sl_vortex_level_state, NULL, SL_ANY(first, count),
                 SL_RING_OF(request_schema, waiting, first, count));

static void walk_level(struct sl_vortex_level *l, struct sl_archive *archive)
{
  if (!l->enabled)
    return;
  sl_archive_structs(archive, "level", level_schema, &l->s, 1);
  sl_cache_walk(&l->cache, archive);
}

static SL_SCHEMA(memory_counts_schema, struct sl_vortex_memory_counts, NULL, SL_ANY(reads, writes, answers, latency));
static SL_SCHEMA(memory_schema, struct sl_vortex_memory_state, NULL, SL_ANY(asking, cycle),
                 SL_STRUCTS(memory_counts_schema, counts));

static void walk_memory(struct sl_vortex_memory *m, struct sl_archive *archive)
{
  sl_archive_structs(archive, "memory", memory_schema, &m->s, 1);
  SL_ARCHIVE_BELOW(archive, m->sockets, m->slice, m->clusters);
  for (unsigned c = 0; c < m->clusters; c++)
    walk_level(&m->l2[c], archive);
  walk_level(&m->l3, archive);
  sl_memory_port_walk(&m->dram, archive);
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
    walk_socket(&sm->timed.socket[s], archive);
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
