#include "machine/sm7/sm7_gpu.h"

#include <stdlib.h>

#include "base/aligned.h"
#include "machine/sm7/memory/sm7_address.h"

static enum sl_status make_memory(struct sl_sm7_gpu *g, struct sl_error *err)
{
  const struct sl_sm7_spec *s = &g->spec;
  enum sl_status status = sl_sm7_crossbar_init(&g->requests, s->clusters, g->slices, s->crossbar_fifo, err);
  if (status == SL_OK)
    status = sl_sm7_crossbar_init(&g->replies, g->slices, s->clusters, s->crossbar_fifo, err);
  for (unsigned i = 0; i < s->clusters && status == SL_OK; i++)
    status = sl_sm7_ring_init(&g->ejection[i], s->ejection_fifo, err);
  for (unsigned i = 0; i < g->slices && status == SL_OK; i++)
    status = sl_sm7_slice_init(&g->slice[i], s, err);
  for (unsigned i = 0; i < s->channels && status == SL_OK; i++)
    status = sl_sm7_dram_init(&g->dram[i], s, err);
  return status;
}

static enum sl_status make_sms(struct sl_sm7_gpu *g, struct sl_error *err)
{
  enum sl_status status = SL_OK;
  for (unsigned i = 0; i < g->sms && status == SL_OK; i++) {
    const struct sl_sm7_wiring wire = {.spec = &g->spec,
                                       .front = &g->front,
                                       .requests = &g->requests,
                                       .ejection = &g->ejection[i / g->spec.sms_per_cluster]};
    status = sl_sm7_sm_init(&g->sm[i], &wire, i, g->sms, err);
  }
  return status;
}

enum sl_status sl_sm7_gpu_create(struct sl_sm7_gpu **gpu, const struct sl_sm7_spec *spec, struct sl_error *err)
{
  struct sl_sm7_gpu *g = calloc(1, sizeof *g);
  if (!g)
    return sl_no_memory(err, sizeof *g);
  g->spec = *spec;
  g->sms = spec->clusters * spec->sms_per_cluster;
  g->slices = spec->channels * SL_SM7_CHANNEL_SLICES;
  g->last_cluster = spec->clusters - 1;
  for (unsigned i = 0; i < spec->clusters; i++)
    g->last_sm[i] = spec->sms_per_cluster - 1;
  g->sm = sl_lines_of(g->sms, sizeof *g->sm);
  g->slice = sl_lines_of(g->slices, sizeof *g->slice);
  g->dram = sl_lines_of(spec->channels, sizeof *g->dram);
  enum sl_status status =
      g->sm && g->slice && g->dram ? make_memory(g, err) : sl_no_memory(err, g->sms * sizeof *g->sm);
  if (status == SL_OK)
    status = make_sms(g, err);
  if (status == SL_OK)
    *gpu = g;
  else
    sl_sm7_gpu_destroy(g);
  return status;
}

void sl_sm7_gpu_destroy(struct sl_sm7_gpu *g)
{
  if (!g)
    return;
  for (unsigned i = 0; g->sm && i < g->sms; i++)
    sl_sm7_sm_free(&g->sm[i]);
  for (unsigned i = 0; g->slice && i < g->slices; i++)
    sl_sm7_slice_free(&g->slice[i]);
  for (unsigned i = 0; g->dram && i < g->spec.channels; i++)
    sl_sm7_dram_free(&g->dram[i]);
  for (unsigned i = 0; i < g->spec.clusters; i++)
    sl_sm7_ring_free(&g->ejection[i]);
  sl_sm7_crossbar_free(&g->requests);
  sl_sm7_crossbar_free(&g->replies);
  free(g->sm);
  free(g->slice);
  free(g->dram);
  free(g);
}

void sl_sm7_gpu_copy(struct sl_sm7_gpu *g, uint64_t address, uint64_t bytes)
{
  for (uint64_t a = address; a < address + bytes && g->spec.l2_warm; a += SL_SM7_SECTOR)
    sl_sm7_slice_warm(&g->slice[sl_sm7_place(&g->spec, a).slice], a, g->before);
}

enum sl_status sl_sm7_gpu_launch(struct sl_sm7_gpu *g, const struct sl_sm7_front *front,
                                 const struct sl_sm7_demand *demand, struct sl_error *err)
{
  const enum sl_status status = sl_sm7_occupancy(&g->spec, demand, &g->occupancy, err);
  if (status != SL_OK)
    return status;
  g->front = *front;
  g->before += g->cycle;
  g->cycle = 0;
  g->core_time = g->dram_time = 0;
  g->blocks = demand->blocks;
  g->next_block = 0;
  g->room = true;
  for (unsigned i = 0; i < g->spec.clusters; i++) {
    g->turn[i] += g->active_until[i];
    g->active_until[i] = 0;
  }
  for (unsigned i = 0; i < g->sms; i++)
    sl_sm7_sm_launch(&g->sm[i], g->occupancy.resident, demand->threads, g->occupancy.l1_ways);
  return SL_OK;
}

void sl_sm7_gpu_watch(struct sl_sm7_gpu *g, struct sl_sm7_slots *slots, uint32_t count)
{
  for (unsigned i = 0; i < g->sms; i++) {
    g->sm[i].slots = slots ? slots + (size_t)i * (count + 1) : NULL;
    g->sm[i].no_instruction = count;
    for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS; k++)
      g->sm[i].cause_pc[k] = count;
  }
}

static void wake(struct sl_sm7_gpu *g, unsigned sm, uint64_t cycle)
{
  const uint64_t latest = g->cycle + SL_SM7_CALENDAR - 1; /* looking too early does no harm */
  g->awake[(cycle < latest ? cycle : latest) % SL_SM7_CALENDAR][sm / 64] |= UINT64_C(1) << sm % 64;
}

static void replies_to_sms(struct sl_sm7_gpu *g)
{
  for (uint64_t rest = g->ejecting | g->replies.filled; rest; rest &= rest - 1) {
    const unsigned c = (unsigned)__builtin_ctzll(rest);
    struct sl_sm7_ring *fifo = &g->ejection[c];
    if (fifo->count) {
      const unsigned sm = sl_sm7_ring_front(fifo)->sm;
      if (!sl_sm7_ring_full(&g->sm[sm].response))
        sl_sm7_ring_move(fifo, &g->sm[sm].response);
      wake(g, sm, g->cycle);
    }
    if (!sl_sm7_ring_full(fifo) && g->replies.out[c].count) {
      sl_sm7_ring_push(fifo, sl_sm7_ring_front(&g->replies.out[c]));
      sl_sm7_crossbar_pop(&g->replies, c);
    }
    g->ejecting = fifo->count ? g->ejecting | UINT64_C(1) << c : g->ejecting & ~(UINT64_C(1) << c);
  }
}

static unsigned to_cluster(const void *context, const struct sl_sm7_packet *p)
{
  const struct sl_sm7_gpu *g = context;
  return p->sm / g->spec.sms_per_cluster;
}

static unsigned to_slice(const void *context, const struct sl_sm7_packet *p)
{
  (void)context;
  return p->slice;
}

static void replies_to_crossbar(struct sl_sm7_gpu *g)
{
  for (uint64_t rest = g->busy_slices; rest; rest &= rest - 1) {
    const unsigned s = (unsigned)__builtin_ctzll(rest);
    struct sl_sm7_ring *out = &g->slice[s].output;
    if (out->count == 0 || sl_sm7_ring_full(&g->replies.in[s]))
      continue;
    sl_sm7_crossbar_push(&g->replies, s, to_cluster(g, sl_sm7_ring_front(out)), sl_sm7_ring_front(out));
    sl_sm7_ring_pop(out);
  }
}

static void tick_dram(struct sl_sm7_gpu *g)
{
  for (uint64_t rest = g->busy_channels; rest; rest &= rest - 1) {
    const unsigned c = (unsigned)__builtin_ctzll(rest);
    struct sl_sm7_slice *a = &g->slice[SL_SM7_CHANNEL_SLICES * c], *b = a + 1;
    struct sl_sm7_dram_port port[] = {{&a->to_dram, &a->from_dram}, {&b->to_dram, &b->from_dram}};
    if (!sl_sm7_dram_tick(&g->dram[c], port, g->dram_ticks, g->cycle) && !a->to_dram.count && !b->to_dram.count)
      g->busy_channels &= ~(UINT64_C(1) << c);
    g->busy_slices |= (uint64_t)(a->from_dram.count != 0) << SL_SM7_CHANNEL_SLICES * c;
    g->busy_slices |= (uint64_t)(b->from_dram.count != 0) << (SL_SM7_CHANNEL_SLICES * c + 1);
  }
  g->dram_ticks++;
  g->dram_time += 1 / (g->spec.dram_mhz * 1e6);
}

static void run_slices(struct sl_sm7_gpu *g)
{
  uint64_t *arriving = &g->arriving[g->cycle % SL_SM7_CALENDAR];
  const uint64_t look = g->busy_slices | g->requests.filled | *arriving;
  *arriving = 0;
  for (uint64_t rest = look; rest; rest &= rest - 1) {
    const unsigned s = (unsigned)__builtin_ctzll(rest);
    const uint64_t bit = UINT64_C(1) << s;
    struct sl_sm7_slice *slice = &g->slice[s];
    if (g->requests.out[s].count && sl_sm7_slice_has_room(slice)) {
      sl_sm7_slice_take(slice, sl_sm7_ring_front(&g->requests.out[s]), g->cycle);
      sl_sm7_crossbar_pop(&g->requests, s);
      g->arriving[(g->cycle + g->spec.l2_delay) % SL_SM7_CALENDAR] |= bit;
    }
    const bool busy = sl_sm7_slice_cycle(slice, g->cycle, g->before + g->cycle);
    g->busy_slices = busy ? g->busy_slices | bit : g->busy_slices & ~bit;
    if (slice->to_dram.count)
      g->busy_channels |= UINT64_C(1) << s / SL_SM7_CHANNEL_SLICES;
  }
}

static void run_sm(struct sl_sm7_gpu *g, unsigned number)
{
  struct sl_sm7_sm *sm = &g->sm[number];
  if (sm->blocks == 0)
    return;
  const unsigned blocks = sm->blocks, cluster = sm->cluster;
  const uint64_t next = sl_sm7_sm_cycle(sm, g->cycle, g->before + g->cycle);
  if (next != SL_SM7_ASLEEP && sm->blocks)
    wake(g, number, next);
  g->running -= blocks - sm->blocks;
  g->room |= blocks != sm->blocks;
  g->stop |= sm->failed;
  if (g->spec.perfect_memory && g->ejection[cluster].count)
    g->ejecting |= UINT64_C(1) << cluster;
  g->active_until[cluster] = g->cycle + 1;
}

/* SMs of a cluster that are awake, in the order that rotates every cycle. */
static void run_sms(struct sl_sm7_gpu *g)
{
  uint64_t *awake = g->awake[g->cycle % SL_SM7_CALENDAR];
  const unsigned per = g->spec.sms_per_cluster;
  for (unsigned word = 0; word < SL_SM7_SM_WORDS; word++) {
    while (awake[word]) {
      const unsigned cluster = (64 * word + (unsigned)__builtin_ctzll(awake[word])) / per;
      const unsigned turn = (unsigned)((g->turn[cluster] + g->cycle) % per);
      for (unsigned n = 0; n < per; n++) {
        const unsigned sm = cluster * per + (n + turn) % per;
        if (awake[sm / 64] >> sm % 64 & 1)
          run_sm(g, sm);
        awake[sm / 64] &= ~(UINT64_C(1) << sm % 64);
      }
    }
  }
}

static bool dispatch_to(struct sl_sm7_gpu *g, unsigned cluster)
{
  const unsigned per = g->spec.sms_per_cluster;
  for (unsigned n = 0; n < per; n++) {
    const unsigned local = (n + g->last_sm[cluster] + 1) % per, sm = cluster * per + local;
    if (g->sm[sm].blocks >= g->occupancy.resident)
      continue;
    sl_sm7_sm_start(&g->sm[sm], g->next_block++, g->cycle);
    g->stop |= g->sm[sm].failed;
    wake(g, sm, g->cycle + 1);
    g->running++;
    g->last_sm[cluster] = local;
    return true;
  }
  return false;
}

/* At most one block per cluster and cycle. */
static void dispatch(struct sl_sm7_gpu *g)
{
  if (g->next_block == g->blocks || !g->room || g->cycle < g->spec.launch_cycles)
    return;
  const unsigned first = g->last_cluster + 1;
  bool any = false;
  for (unsigned n = 0; n < g->spec.clusters && g->next_block < g->blocks; n++) {
    const unsigned cluster = (n + first) % g->spec.clusters;
    if (dispatch_to(g, cluster)) {
      g->last_cluster = cluster;
      any = true;
    }
  }
  g->room = any;
  if (g->next_block == g->blocks)
    for (unsigned i = 0; i < g->spec.clusters; i++)
      g->active_until[i] = g->cycle + 1;
}

static void core_cycle(struct sl_sm7_gpu *g)
{
  replies_to_sms(g);
  replies_to_crossbar(g);
  if (g->dram_time <= g->core_time)
    tick_dram(g);
  run_slices(g);
  if (g->requests.asked)
    sl_sm7_crossbar_cycle(&g->requests, to_slice, g);
  if (g->replies.asked)
    sl_sm7_crossbar_cycle(&g->replies, to_cluster, g);
  run_sms(g);
  dispatch(g);
  g->cycle++;
  g->core_time += 1 / (g->spec.core_mhz * 1e6);
}

enum sl_status sl_sm7_gpu_run(struct sl_sm7_gpu *g, uint64_t until)
{
  while (g->cycle < until) {
    while (g->dram_time < g->core_time)
      tick_dram(g);
    core_cycle(g);
    if (g->stop) {
      bool memory = false;
      for (unsigned i = 0; i < g->sms; i++)
        memory |= g->sm[i].out_of_memory;
      return memory ? SL_INTERNAL : SL_FAULT;
    }
    if (g->running == 0 && g->next_block == g->blocks)
      return SL_OK;
  }
  return SL_PAUSED;
}

static void add_counts(struct sl_sm7_counts *sum, const struct sl_sm7_counts *c)
{
  sum->warp_instructions += c->warp_instructions;
  sum->thread_instructions += c->thread_instructions;
  sum->cycles += c->cycles;
  sum->blocks += c->blocks;
  sum->shared_cycles += c->shared_cycles;
  sum->sectors += c->sectors;
  for (unsigned i = 0; i < SL_SM7_CAUSES; i++)
    sum->cause[i] += c->cause[i];
}

struct sl_sm7_totals sl_sm7_gpu_totals(const struct sl_sm7_gpu *g)
{
  struct sl_sm7_totals t = {0};
  for (unsigned i = 0; i < g->sms; i++) {
    add_counts(&t.sm, &g->sm[i].counts);
    t.l1_accesses += g->sm[i].l1.accesses;
    t.l1_misses += g->sm[i].l1.missed;
  }
  for (unsigned i = 0; i < g->slices; i++) {
    t.l2_accesses += g->slice[i].cache.accesses;
    t.l2_misses += g->slice[i].cache.missed;
  }
  for (unsigned i = 0; i < g->spec.channels; i++) {
    t.dram_reads += g->dram[i].reads;
    t.dram_writes += g->dram[i].writes;
    t.activations += g->dram[i].activations;
  }
  return t;
}
