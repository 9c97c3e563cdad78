#include "machine/sm7/sm7_gpu_archive.h"

#include <math.h>
#include <string.h>

#include "base/validate.h"
#include "machine/sm7/core/sm7_sm_archive.h"
#include "machine/sm7/memory/sm7_dram_archive.h"
#include "machine/sm7/sm7_gpu_validate.h"
#include "machine/sm7/sm7_partition.h"

/* ---- partitions, one per host thread: the archive holds their union ---------------------------------------------- */

struct together {
  uint64_t awake[SL_SM7_CALENDAR][SL_SM7_SM_WORDS], arriving[SL_SM7_CALENDAR];
  uint64_t ejecting, busy_slices, busy_channels;
};

static void gather(const struct sl_sm7_gpu *g, struct together *all)
{
  for (unsigned i = 0; i < g->parts; i++) {
    const struct sl_sm7_partition *p = &g->part[i];
    for (unsigned c = 0; c < SL_SM7_CALENDAR; c++) {
      all->arriving[c] |= p->arriving[c];
      for (unsigned word = 0; word < SL_SM7_SM_WORDS; word++)
        all->awake[c][word] |= p->awake[c][word];
    }
    all->ejecting |= p->ejecting;
    all->busy_slices |= p->busy_slices;
    all->busy_channels |= p->busy_channels;
  }
}

static void wake(struct sl_sm7_gpu *g, const struct together *all, unsigned sm)
{
  for (unsigned c = 0; c < SL_SM7_CALENDAR; c++)
    g->part[g->part_of[g->sm[sm].cluster]].awake[c][sm / 64] |= all->awake[c][sm / 64] & sl_bit(sm % 64);
}

static void divide(struct sl_sm7_gpu *g, const struct together *all)
{
  for (unsigned i = 0; i < g->sms; i++)
    wake(g, all, i);
  for (unsigned i = 0; i < g->parts; i++) {
    struct sl_sm7_partition *p = &g->part[i];
    for (unsigned c = 0; c < SL_SM7_CALENDAR; c++)
      p->arriving[c] = all->arriving[c] & p->slices;
    p->ejecting = all->ejecting & p->clusters;
    p->busy_slices = all->busy_slices & p->slices;
    for (unsigned c = 0; c < g->spec.channels; c++)
      if (p->slices >> SL_SM7_CHANNEL_SLICES * c & 1)
        p->busy_channels |= all->busy_channels & sl_bit(c);
  }
}

static void parts_archive(struct sl_archive *t, struct sl_sm7_gpu *g)
{
  struct together all;
  memset(&all, 0, sizeof all);
  if (!sl_archive_reads(t))
    gather(g, &all);
  SL_ARCHIVE(t, all);
  if (sl_archive_reads(t))
    divide(g, &all);
}

/* ---- time and blocks --------------------------------------------------------------------------------------------- */

/* The clocks are close to each other, and sums of their periods cannot overflow. */
static bool clocks_valid(const struct sl_sm7_gpu *g)
{
  const double core = 1 / (g->spec.core_mhz * 1e6), dram = 1 / (g->spec.dram_mhz * 1e6);
  const double shorter = core < dram ? core : dram;
  return g->core_time >= 0 && g->core_time < shorter * 1e15 && fabs(g->core_time - g->dram_time) <= 2 * (core + dram) &&
         g->ticks_due <= 2 + core / dram;
}

static void time_archive(struct sl_archive *t, struct sl_sm7_gpu *g)
{
  SL_ARCHIVE(t, g->cycle);
  SL_ARCHIVE(t, g->before);
  SL_ARCHIVE(t, g->core_time);
  SL_ARCHIVE(t, g->dram_time);
  SL_ARCHIVE(t, g->dram_ticks);
  SL_ARCHIVE(t, g->ticks_due);
  sl_archive_expect(t, g->cycle < (uint64_t)SL_CYCLES_MAX && g->before < (uint64_t)SL_CYCLES_MAX &&
                           g->dram_ticks < (uint64_t)SL_CYCLES_MAX && clocks_valid(g));
}

static void blocks_archive(struct sl_archive *t, struct sl_sm7_gpu *g)
{
  SL_ARCHIVE(t, g->next_block);
  SL_ARCHIVE(t, g->running);
  SL_ARCHIVE(t, g->living);
  g->last_cluster = sl_archive_number(t, g->last_cluster, g->spec.clusters - 1);
  for (unsigned c = 0; c < g->spec.clusters; c++)
    g->last_sm[c] = sl_archive_number(t, g->last_sm[c], g->spec.sms_per_cluster - 1);
  sl_archive_bool(t, &g->room);
  SL_ARCHIVE(t, g->turn);
  SL_ARCHIVE(t, g->active_until);
}

void sl_sm7_gpu_archive(struct sl_archive *archive, struct sl_sm7_gpu *g, bool in_kernel)
{
  struct sl_sm7_archive t = {.bytes = *archive, .spec = &g->spec, .sms = g->sms, .slices = g->slices};
  if (in_kernel) {
    t.code = g->front.code;
    t.count = g->front.count;
  }
  time_archive(&t.bytes, g);
  blocks_archive(&t.bytes, g);
  parts_archive(&t.bytes, g);
  for (unsigned i = 0; i < g->sms && !t.bytes.bad; i++)
    sl_sm7_sm_archive(&t, &g->sm[i]);
  for (unsigned i = 0; i < g->slices && !t.bytes.bad; i++)
    sl_sm7_slice_archive(&t, &g->slice[i]);
  for (unsigned i = 0; i < g->spec.channels && !t.bytes.bad; i++)
    sl_sm7_dram_archive(&t, &g->dram[i]);
  for (unsigned i = 0; i < g->spec.clusters && !t.bytes.bad; i++)
    sl_sm7_ring_archive(&t, &g->ejection[i]);
  sl_sm7_crossbar_archive(&t, &g->requests, sl_sm7_to_slice, g);
  sl_sm7_crossbar_archive(&t, &g->replies, sl_sm7_to_cluster, g);
  *archive = t.bytes;
  if (sl_archive_reads(archive) && !archive->bad)
    sl_sm7_gpu_valid(archive, g, in_kernel);
}
