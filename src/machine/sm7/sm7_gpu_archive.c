#include "machine/sm7/sm7_gpu.h"

#include <math.h>
#include <string.h>

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_memory_state.h"

/* ---- partitions, one per host thread: the archive holds the unions of their sets --------------------------------- */

/* A set in the first partition, and the elements that belong to each. */
static void set_walk(struct sl_archive *t, const struct sl_sm7_gpu *g, void *first, const uint64_t share[])
{
  uint64_t all = 0;
  for (unsigned i = 0; i < g->parts; i++)
    all |= *(const uint64_t *)(void *)((uint8_t *)first + i * sizeof *g->part);
  SL_ARCHIVE(t, all);
  for (unsigned i = 0; i < g->parts && sl_archive_reads(t); i++)
    *(uint64_t *)(void *)((uint8_t *)first + i * sizeof *g->part) = all & share[i];
}

static void parts_walk(struct sl_archive *t, const struct sl_sm7_gpu *g)
{
  uint64_t sms[SL_SM7_SM_WORDS][SL_SM7_WRITERS] = {{0}}, clusters[SL_SM7_PORT_WORDS][SL_SM7_WRITERS],
           slices[SL_SM7_WRITERS], channels[SL_SM7_WRITERS] = {0};
  for (unsigned i = 0; i < g->sms; i++)
    sms[i / 64][g->part_of[g->sm[i].cluster]] |= sl_bit(i % 64);
  for (unsigned i = 0; i < g->parts; i++) {
    for (unsigned word = 0; word < SL_SM7_PORT_WORDS; word++)
      memcpy(&clusters[word][i], (const uint64_t *)(const void *)&g->part[i].clusters + word, sizeof clusters[word][i]);
    slices[i] = g->part[i].slices;
    for (unsigned c = 0; c < g->spec.channels; c++)
      channels[i] |= (slices[i] >> SL_SM7_CHANNEL_SLICES * c & 1) << c;
  }
  for (unsigned c = 0; c < SL_SM7_CALENDAR; c++) {
    for (unsigned word = 0; word < g->sm_words; word++)
      set_walk(t, g, &g->part->awake[c][word], sms[word]);
    set_walk(t, g, &g->part->arriving[c], slices);
  }
  for (size_t word = 0; word < SL_SM7_PORT_WORDS; word++)
    set_walk(t, g, (uint64_t *)(void *)&g->part->ejecting + word, clusters[word]);
  set_walk(t, g, &g->part->busy_slices, slices);
  set_walk(t, g, &g->part->busy_channels, channels);
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

/* The clocks are close to each other, and sums of their periods cannot overflow. */
static bool clocks_valid(const struct sl_sm7_gpu *g)
{
  const double core = 1 / (g->spec.core_mhz * 1e6), dram = 1 / (g->spec.dram_mhz * 1e6);
  const double shorter = core < dram ? core : dram;
  return g->core_time >= 0 && g->core_time < shorter * 1e15 && fabs(g->core_time - g->dram_time) <= 2 * (core + dram) &&
         g->ticks_due <= 2 + core / dram;
}

static void gpu_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_gpu *g = object;
  int64_t *ways = &t->limits.value[SL_SM7_LIMIT_WAYS];
  parts_walk(t, g);
  sl_archive_expect(t, clocks_valid(g));
  *ways = sl_sm7_l1_ways(&g->spec);
  sl_archive_structs(t, "sm", sl_sm7_sm_schema, g->sm, g->sms);
  *ways = g->spec.l2_ways;
  sl_archive_structs(t, "slice", sl_sm7_slice_schema, g->slice, g->slices);
  for (unsigned i = 0; i < g->slices; i++)
    sl_archive_expect(t, g->slice[i].cache.spec.ways == g->spec.l2_ways);
  t->limits.value[SL_SM7_LIMIT_HERE] = sl_sm7_dram_requests(&g->spec);
  sl_archive_structs(t, "dram", sl_sm7_dram_schema, g->dram, g->spec.channels);
  sl_sm7_crossbar_walk(t, &g->requests, sl_sm7_to_slice, g);
  sl_sm7_crossbar_walk(t, &g->replies, sl_sm7_to_cluster, g);
}

enum { CLUSTERS = SL_SM7_LIMIT_HERE, SMS_PER_CLUSTER };

static SL_WALKED_SCHEMA(gpu_schema, struct sl_sm7_gpu, gpu_walk,
                        SL_DERIVED(spec, front, operands, sms, slices, sm_words, ahead, observation, events),
                        SL_WALKED(sm, slice, dram, requests, replies), SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_REQUEST),
                        SL_STRUCTS(sl_sm7_ring_schema, ejection), SL_MOST(SL_CYCLES_MAX - 1, cycle, before, dram_ticks),
                        SL_ANY(core_time, dram_time, ticks_due), SL_WALKED(part),
                        SL_DERIVED(parts, part_of, pool, phase, blocks, occupancy, stop, hold),
                        SL_ANY(next_block, running, living, room, turn, active_until),
                        SL_BELOW_LIMIT(CLUSTERS, last_cluster), SL_BELOW_LIMIT(SMS_PER_CLUSTER, last_sm));

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

void sl_sm7_gpu_archive(struct sl_archive *t, struct sl_sm7_gpu *g, bool in_kernel)
{
  int64_t *limit = t->limits.value;
  sl_archive_shape(t, g->spec.warps, 0);
  limit[SL_SM7_LIMIT_SMS] = g->sms;
  limit[SL_SM7_LIMIT_SLICES] = g->slices;
  limit[SL_SM7_LIMIT_SCHEDULERS] = g->spec.schedulers;
  limit[SL_SM7_LIMIT_COLLECTORS] = g->spec.collectors;
  limit[SL_SM7_LIMIT_L1_LINES] = g->spec.l1_sets * (int64_t)sl_sm7_l1_ways(&g->spec);
  limit[CLUSTERS] = g->spec.clusters;
  limit[SMS_PER_CLUSTER] = g->spec.sms_per_cluster;
  t->items = (struct sl_items){.bytes = sizeof *g->front.code, .other = &sl_sm7_nothing};
  if (in_kernel) {
    t->items.first = (const uint8_t *)g->front.code;
    t->items.count = g->front.count;
  }
  t->whole = &g->spec;
  sl_archive_structs(t, "gpu", gpu_schema, g, 1);
  if (sl_archive_reads(t) && sl_archive_balance(t))
    sl_archive_expect(t, blocks_valid(g, in_kernel));
}
