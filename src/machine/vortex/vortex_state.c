/* Serialization of a Vortex GPU: a list of its plain-data structs and of the arrays beside them. One walk over the list
 * measures, saves or restores. None of them contains pointers; code belongs to the program. After the list comes the
 * variable-size part: the outstanding requests to DRAM. */
#include <stdlib.h>
#include <string.h>

#include "base/state_parts.h"
#include "machine/vortex/vortex_state.h"
#include "machine/vortex/vortex_validate.h"

/* First in the saved state. */
struct header {
  uint64_t fixed; /* bytes that do not depend on outstanding requests */
  uint64_t size;
};

/* -- Cores: architectural state -- */

static void walk_warps(const struct sl_ipdom_warps *w, struct sl_state_walk *walk)
{
  const struct sl_ipdom_spec *s = &w->spec;
  const struct sl_state_part part[] = {
      SL_STATE_OF(w->s),
      sl_state_array(w->x, s->warps * w->warp_words, sizeof *w->x),
      sl_state_array(w->warp, s->warps, sizeof *w->warp),
      sl_state_array(w->reserved, (size_t)s->warps * s->lanes, sizeof *w->reserved),
      sl_state_array(w->local, s->local_storage_bytes, 1),
  };
  sl_state_walk(walk, part, sizeof part / sizeof *part);
  for (unsigned i = 0; i < w->extensions; i++)
    w->extension[i].kind->walk(w->extension[i].state, walk);
}

/* -- Pipelines: instructions in flight -- */

static void walk_pipeline(const struct sl_vortex_pipeline *p, struct sl_state_walk *walk)
{
  const struct sl_state_part part[] = {
      SL_STATE_OF(p->s),
      sl_state_array(p->op, p->op_count, sizeof *p->op),
      sl_state_array(p->extended, p->op_count, sizeof *p->extended),
      sl_state_array(p->address, (size_t)p->op_count * p->spec->lanes, sizeof *p->address),
      sl_state_array(p->entries, p->entry_count, sizeof *p->entries),
      sl_state_array(p->operands, p->slices, sizeof *p->operands),
  };
  sl_state_walk(walk, part, sizeof part / sizeof *part);
}

/* -- Caches, sockets, memory -- */

static void walk_cache(const struct sl_cache *c, struct sl_state_walk *walk)
{
  const size_t slots = (size_t)c->spec.banks * c->spec.mshr;
  const struct sl_state_part part[] = {
      SL_STATE_OF(c->s),
      sl_state_array(c->bank, c->spec.banks, sizeof *c->bank),
      sl_state_array(c->way, (size_t)c->spec.banks * c->sets * c->spec.ways, sizeof *c->way),
      sl_state_array(c->pending, slots, sizeof *c->pending),
      sl_state_array(c->ready, slots, sizeof *c->ready),
      sl_state_array(c->fill, slots, sizeof *c->fill),
      sl_state_array(c->answers, c->ring, sizeof *c->answers),
      sl_state_array(c->misses, c->ring, sizeof *c->misses),
  };
  sl_state_walk(walk, part, sizeof part / sizeof *part);
}

static void walk_socket(const struct sl_vortex_socket *s, struct sl_state_walk *walk)
{
  const struct sl_state_part part[] = {
      SL_STATE_OF(s->s),
      sl_state_array(s->returns, s->return_ring, sizeof *s->returns),
      sl_state_array(s->io, SL_VORTEX_IOS, sizeof *s->io),
  };
  sl_state_walk(walk, part, sizeof part / sizeof *part);
  walk_cache(&s->icache, walk);
  walk_cache(&s->dcache, walk);
}

static void walk_level(const struct sl_vortex_level *l, struct sl_state_walk *walk)
{
  if (!l->enabled)
    return;
  sl_state_walk(walk, &SL_STATE_OF(l->s), 1);
  walk_cache(&l->cache, walk);
}

/* Without the outstanding requests to DRAM. */
static void walk_memory(const struct sl_vortex_memory *m, struct sl_state_walk *walk)
{
  const struct sl_state_part part[] = {SL_STATE_OF(m->s), sl_state_array(m->slice, m->clusters, sizeof *m->slice)};
  sl_state_walk(walk, part, sizeof part / sizeof *part);
  for (unsigned c = 0; c < m->clusters; c++)
    walk_level(&m->l2[c], walk);
  walk_level(&m->l3, walk);
}

static void walk_timed(const struct sl_vortex_timed *t, struct sl_state_walk *walk)
{
  for (unsigned s = 0; s < t->sockets; s++)
    walk_socket(&t->socket[s], walk);
  sl_state_walk(walk, &SL_STATE_OF(t->s), 1);
  walk_memory(&t->memory, walk);
}

/* -- The GPU -- */

static void walk_gpu(const struct sl_vortex_gpu *sm, struct sl_state_walk *walk)
{
  const struct sl_state_part part[] = {SL_STATE_OF(sm->s), SL_STATE_OF(sm->base.slice)};
  sl_state_walk(walk, part, sizeof part / sizeof *part);
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    walk_warps(&sm->core[c].warps, walk);
    walk_pipeline(&sm->timed.pipeline[c], walk);
  }
  walk_timed(&sm->timed, walk);
}

static size_t fixed_bytes(const struct sl_vortex_gpu *sm)
{
  struct sl_state_walk walk = {0};
  walk_gpu(sm, &walk);
  return sizeof(struct header) + walk.size;
}

size_t sl_vortex_state_bytes(const struct sl_sm *handle)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  return fixed_bytes(sm) + sl_memory_port_state_bytes(&sm->timed.memory.dram);
}

void sl_vortex_save(const struct sl_sm *handle, uint8_t *bytes)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const struct header h = {fixed_bytes(sm), sl_vortex_state_bytes(&sm->base)};
  struct sl_state_walk walk = {.save = bytes + sizeof h};
  memcpy(bytes, &h, sizeof h);
  walk_gpu(sm, &walk);
  sl_memory_port_save(&sm->timed.memory.dram, bytes + h.fixed);
}

/* For a run without a fault. */
static void clear_faults(struct sl_vortex_gpu *sm)
{
  sm->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sm->core[c].warps.fault = (struct sl_fault){.kind = SL_FAULT_NONE};
}

/* False: out of memory for the outstanding requests. */
static bool take(struct sl_vortex_gpu *sm, const uint8_t *bytes)
{
  struct sl_state_walk walk = {.restore = bytes + sizeof(struct header)};
  walk_gpu(sm, &walk);
  clear_faults(sm);
  return sl_memory_port_restore(&sm->timed.memory.dram, walk.restore + walk.size);
}

static bool sizes_fit(const struct sl_vortex_gpu *sm, const uint8_t *bytes, size_t size)
{
  struct header h;
  if (size < sizeof h)
    return false;
  memcpy(&h, bytes, sizeof h);
  return h.fixed == fixed_bytes(sm) && h.size == size && size >= h.fixed &&
         sl_memory_port_fits(&sm->timed.memory.dram, bytes + h.fixed, size - h.fixed);
}

/* Lists and queues are validated where they are used. The state is therefore restored on trial, and the GPU's own state
 * is put back afterwards. Memory suffices for that, because the room for requests stays reserved. */
enum sl_status sl_vortex_fits(struct sl_sm *handle, bool timing, const uint8_t *bytes, size_t size)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  if (!sizes_fit(sm, bytes, size))
    return SL_USAGE;
  uint8_t *own = malloc(sl_vortex_state_bytes(handle));
  if (own == NULL)
    return SL_INTERNAL;
  sl_vortex_save(handle, own);
  const enum sl_status code = take(sm, bytes) ? sl_vortex_valid(sm, timing) : SL_INTERNAL;
  take(sm, own);
  free(own);
  return code;
}

/* The state is valid; only derived fields must be recomputed. */
void sl_vortex_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  take(sm, bytes);
  sl_vortex_derive(sm);
}
