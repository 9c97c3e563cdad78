/* Validates a restored SM7 GPU: every packet has a receiver that awaits it, and every receiver has its packets. */
#include <stdlib.h>
#include <string.h>

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_memory_state.h"
#include "machine/sm7/sm7_gpu.h"

enum { MOST_WAITS = 64 /* MSHRs of a line cache */ };

/* Events outstanding for an SM. */
struct tally {
  uint32_t *sectors; /* by load */
  uint8_t *fills;    /* by MSHR of L1; for a ready one the fill has arrived */
  uint32_t stores[SL_SM7_MAX_WARPS];
  uint32_t fetches[MOST_WAITS], constants[MOST_WAITS]; /* sectors, by MSHR */
};

struct census {
  const struct sl_sm7_gpu *gpu;
  struct tally *sm;
  uint8_t *fills; /* by SM and MSHR of L1, then by slice and MSHR of L2 */
  uint32_t *sectors;
  /* While a walk passes the packets: */
  enum { BETWEEN, IN_SM, IN_SLICE, IN_DRAM } in;
  unsigned slice;   /* its number, or the first of the channel */
  const char *ring; /* its name */
  bool valid;
};

static uint8_t *fills_of(const struct census *c, unsigned slice)
{
  return c->fills + (size_t)c->gpu->sms * c->gpu->spec.l1_mshrs + (size_t)slice * c->gpu->spec.l2_mshrs;
}

static bool load_awaits(const struct census *c, unsigned sm, uint32_t load, uint32_t sectors)
{
  if (load >= c->gpu->sm[sm].loads_room)
    return false;
  c->sm[sm].sectors[load] += sectors;
  return true;
}

/* A sector arrives at a cache whose MSHR has a waiting request. */
static bool fill_comes(const struct sl_sm7_cache *cache, uint8_t *fills, const struct sl_sm7_packet *p, uint32_t lines)
{
  const int32_t mshr = sl_sm7_cache_find(cache, p->address / SL_SM7_SECTOR);
  return mshr >= 0 && fills[mshr]++ == 0 && p->line < lines;
}

static bool line_comes(const struct sl_sm7_line_cache *cache, uint32_t *sectors, const struct sl_sm7_packet *p)
{
  for (uint32_t i = 0; i < cache->spec.mshrs && p->sectors > 0; i++)
    if (cache->wait[i].line == p->address / cache->spec.line) {
      sectors[i] += p->sectors;
      return true;
    }
  return false;
}

/* A packet between an SM and the place that holds it until L2 has its sector. */
static bool see_request(struct census *c, const struct sl_sm7_packet *p)
{
  const struct sl_sm7_spec *s = &c->gpu->spec;
  const struct sl_sm7_sm *sm = &c->gpu->sm[p->sm];
  struct tally *tally = &c->sm[p->sm];
  if (p->kind == SL_SM7_WRITE_SECTOR && p->client <= SL_SM7_TO_REGISTER) {
    tally->stores[p->warp]++;
    return true;
  }
  if (p->kind == SL_SM7_ATOMIC_SECTOR)
    return p->client == SL_SM7_TO_REGISTER && load_awaits(c, p->sm, p->load, 1);
  if (p->kind != SL_SM7_READ_SECTOR)
    return false;
  switch ((enum sl_sm7_client)p->client) {
  case SL_SM7_TO_L1: return fill_comes(&sm->l1, tally->fills, p, s->l1_sets * sl_sm7_l1_ways(s));
  case SL_SM7_TO_REGISTER: return load_awaits(c, p->sm, p->load, 1);
  case SL_SM7_TO_FETCH: return s->icache && line_comes(&sm->instructions, tally->fetches, p);
  case SL_SM7_TO_CONSTANTS: return s->ccache && line_comes(&sm->constants, tally->constants, p);
  case SL_SM7_TO_TEXTURES: return p->sectors > 0;
  }
  return false;
}

/* A packet that has not been looked up in L1. */
static bool see_in_l1(struct census *c, const struct sl_sm7_packet *p)
{
  if (p->client != SL_SM7_TO_L1)
    return false;
  if (p->kind == SL_SM7_READ_SECTOR)
    return load_awaits(c, p->sm, p->load, 1);
  c->sm[p->sm].stores[p->warp]++;
  return p->kind == SL_SM7_WRITE_SECTOR;
}

/* A packet that waits in L1; prefetches wait there too. */
static bool see_waiting(struct census *c, const struct sl_sm7_packet *p)
{
  if (p->load == SL_SM7_NO_LOAD)
    return p->client == SL_SM7_TO_L1 && p->kind == SL_SM7_READ_SECTOR && c->gpu->spec.l1_prefetch != SL_SM7_NO_PREFETCH;
  return see_in_l1(c, p);
}

/* A packet behind L2. */
static bool see_behind(struct census *c, const struct sl_sm7_packet *p)
{
  const struct sl_sm7_spec *s = &c->gpu->spec;
  if (p->slice / SL_SM7_CHANNEL_SLICES != c->slice / SL_SM7_CHANNEL_SLICES)
    return false;
  if (p->kind == SL_SM7_WRITE_BACK)
    return p->sectors > 0;
  return p->kind != SL_SM7_WRITE_SECTOR &&
         fill_comes(&c->gpu->slice[p->slice].cache, fills_of(c, p->slice), p, s->l2_sets * s->l2_ways);
}

static bool is(const char *name, const char *other)
{
  return strcmp(name, other) == 0;
}

/* Requests of line and texture caches are counted with their cache. */
static bool see_packet(struct census *c, const char *name, const struct sl_sm7_packet *p)
{
  const bool waits = is(name, "waiting");
  if (is(name, "p") || is(name, "request"))
    return true;
  switch (c->in) {
  case IN_SM: return waits ? see_waiting(c, p) : is(c->ring, "pipe") ? see_in_l1(c, p) : see_request(c, p);
  case IN_SLICE:
    return !waits && (is(c->ring, "misses") || is(c->ring, "to_dram") || is(c->ring, "from_dram")) ? see_behind(c, p)
                                                                                                   : see_request(c, p);
  case IN_DRAM: return see_behind(c, p);
  case BETWEEN: break;
  }
  return see_request(c, p);
}

/* Follows a walk of the GPU, and sees each packet in its place. */
static void see(void *context, const char *name, const struct sl_schema *schema, const void *object)
{
  struct census *c = context;
  if (object == NULL)
    return;
  if (schema == sl_sm7_sm_schema())
    c->in = IN_SM;
  else if (schema == sl_sm7_crossbar_schema())
    c->in = BETWEEN;
  else if (schema == sl_sm7_slice_schema()) {
    c->in = IN_SLICE;
    c->slice = (unsigned)((const struct sl_sm7_slice *)object - c->gpu->slice);
  } else if (schema == sl_sm7_dram_schema()) {
    c->in = IN_DRAM;
    c->slice = SL_SM7_CHANNEL_SLICES * (unsigned)((const struct sl_sm7_dram *)object - c->gpu->dram);
  } else if (schema == sl_sm7_ring_schema())
    c->ring = name;
  else if (schema == sl_sm7_packet_schema())
    c->valid = c->valid && see_packet(c, name, object);
}

static bool all_come(const struct sl_sm7_cache *cache, const uint8_t *fills)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < cache->spec.mshrs; i++)
    count += fills[i];
  return count == cache->mshrs_used;
}

static void mark_ready(const struct sl_sm7_cache *cache, uint8_t *fills)
{
  for (uint32_t i = 0; i < cache->ready_count; i++)
    fills[cache->ready[(cache->ready_head + i) % cache->spec.mshrs]] = 1;
}

/* ---- SMs --------------------------------------------------------------------------------------------------------- */

/* Requests that wait in a line cache; `loads`: they are loads, else warps. */
static bool waits_valid(const struct census *c, unsigned sm, const struct sl_sm7_line_cache *cache, uint32_t *sectors,
                        bool loads)
{
  for (uint32_t i = 0; i < cache->unsent_count; i++)
    sectors[cache->unsent[(cache->unsent_head + i) % cache->spec.mshrs]] += cache->spec.line / SL_SM7_SECTOR;
  for (uint32_t i = 0; i < cache->spec.mshrs; i++) {
    const struct sl_sm7_line_wait *w = &cache->wait[i];
    if (w->line == SL_SM7_NO_LINE)
      continue;
    if (sectors[i] != w->sectors || w->p.sm != sm || w->p.client != (loads ? SL_SM7_TO_CONSTANTS : SL_SM7_TO_FETCH))
      return false;
    for (uint32_t n = 0; n < w->count; n++) {
      const uint32_t who = cache->who[i * cache->spec.merges + (w->first + n) % cache->spec.merges];
      if (loads ? !load_awaits(c, sm, who, 1) : who >= c->gpu->spec.warps)
        return false;
    }
  }
  return true;
}

static bool textures_valid(const struct census *c, unsigned sm)
{
  const struct sl_sm7_texture_cache *t = &c->gpu->sm[sm].textures;
  bool valid = true;
  for (uint32_t i = 0; i < t->fragments.count; i++)
    valid &= load_awaits(c, sm, t->fragment[(t->fragments.head + i) % t->spec.fragments].who, 1);
  for (uint32_t i = 0; i < t->results.count; i++)
    valid &= load_awaits(c, sm, t->result[(t->results.head + i) % t->spec.results], 1);
  for (uint32_t i = 0; i < t->lines.count; i++)
    valid &= t->line[(t->lines.head + i) % t->spec.lines].request.sm == sm;
  return valid;
}

/* The loads held by the load/store unit itself. */
static bool unit_valid(const struct census *c, unsigned number)
{
  const struct sl_sm7_sm *sm = &c->gpu->sm[number];
  const struct sl_sm7_op *op = sm->dispatch != SL_SM7_NONE ? &sm->op[sm->dispatch] : NULL;
  return (op == NULL || op->load == UINT32_MAX || load_awaits(c, number, op->load, sm->list[op->list].count)) &&
         (sm->write_back.code == NULL || sm->shared_write_back || load_awaits(c, number, sm->write_back.load, 1)) &&
         (sm->uncached.code == NULL || load_awaits(c, number, sm->uncached.load, 1));
}

static bool sm_valid(struct census *c, unsigned number)
{
  const struct sl_sm7_sm *sm = &c->gpu->sm[number];
  struct tally *tally = &c->sm[number];
  return textures_valid(c, number) && unit_valid(c, number) &&
         (!c->gpu->spec.icache || waits_valid(c, number, &sm->instructions, tally->fetches, false)) &&
         (!c->gpu->spec.ccache || waits_valid(c, number, &sm->constants, tally->constants, true));
}

static bool sm_complete(const struct census *c, unsigned number)
{
  const struct sl_sm7_sm *sm = &c->gpu->sm[number];
  const struct tally *tally = &c->sm[number];
  bool valid = all_come(&sm->l1, tally->fills);
  for (uint32_t i = 0; i < sm->loads_room; i++)
    valid &= tally->sectors[i] == sm->loads[i].remaining;
  for (unsigned w = 0; w < SL_SM7_MAX_WARPS; w++)
    valid &= tally->stores[w] == (sm->present >> w & 1 ? sm->warp[w].stores : 0);
  return valid;
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

static bool blocks_valid(const struct sl_sm7_gpu *g, bool in_kernel)
{
  uint64_t running = 0, living = 0;
  for (unsigned i = 0; i < g->sms; i++) {
    const struct sl_sm7_sm *sm = &g->sm[i];
    const bool given = in_kernel && sm->given != SL_SM7_NO_BLOCK;
    if (in_kernel ? !sl_sm7_sm_valid(sm, g->next_block, g->cycle) || sm->l1.spec.ways != g->occupancy.l1_ways
                  : !sl_sm7_sm_at_rest(sm))
      return false;
    running += sm->blocks + given;
    living += sm->live != 0 || given;
  }
  return !in_kernel || (running == g->running && living == g->living && g->next_block <= g->blocks &&
                        (running > 0 || g->next_block < g->blocks));
}

static bool count_all(struct census *c, bool in_kernel)
{
  const struct sl_sm7_gpu *g = c->gpu;
  struct sl_archive pass = {.meet = see, .context = c};
  sl_sm7_gpu_walk(&pass, (struct sl_sm7_gpu *)(uintptr_t)g, in_kernel);
  bool valid = c->valid;
  for (unsigned i = 0; i < g->sms && valid; i++)
    valid = sm_valid(c, i);
  for (unsigned i = 0; i < g->sms && valid; i++)
    valid = sm_complete(c, i);
  for (unsigned i = 0; i < g->slices && valid; i++)
    valid = all_come(&g->slice[i].cache, fills_of(c, i));
  return valid;
}

static bool prepare(struct census *c)
{
  const struct sl_sm7_gpu *g = c->gpu;
  size_t loads = 0;
  for (unsigned i = 0; i < g->sms; i++)
    loads += g->sm[i].loads_room;
  c->sm = calloc(g->sms, sizeof *c->sm);
  c->sectors = calloc(loads + 1, sizeof *c->sectors);
  c->fills = calloc((size_t)g->sms * g->spec.l1_mshrs + (size_t)g->slices * g->spec.l2_mshrs, 1);
  if (c->sm == NULL || c->sectors == NULL || c->fills == NULL)
    return false;
  loads = 0;
  for (unsigned i = 0; i < g->sms; i++) {
    c->sm[i].sectors = c->sectors + loads;
    c->sm[i].fills = c->fills + (size_t)i * g->spec.l1_mshrs;
    loads += g->sm[i].loads_room;
    mark_ready(&g->sm[i].l1, c->sm[i].fills);
  }
  for (unsigned i = 0; i < g->slices; i++)
    mark_ready(&g->slice[i].cache, fills_of(c, i));
  return true;
}

void sl_sm7_gpu_archive(struct sl_archive *archive, struct sl_sm7_gpu *gpu, bool in_kernel)
{
  struct census c = {.gpu = gpu, .ring = "", .valid = true};
  sl_sm7_gpu_walk(archive, gpu, in_kernel);
  if (!sl_archive_reads(archive) || archive->bad || !sl_archive_expect(archive, blocks_valid(gpu, in_kernel)))
    return;
  if (!prepare(&c))
    sl_archive_memory(archive, NULL);
  else
    sl_archive_expect(archive, count_all(&c, in_kernel));
  free(c.sm);
  free(c.sectors);
  free(c.fills);
}
