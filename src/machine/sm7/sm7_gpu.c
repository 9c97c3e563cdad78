#include "machine/sm7/sm7_gpu.h"

#include <stdlib.h>

#include "base/arrays.h"
#include "machine/sm7/core/sm7_stages.h"
#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_slice.h"

static enum sl_status make_memory(struct sl_sm7_gpu *g, struct sl_error *err)
{
  const struct sl_sm7_spec *s = &g->spec;
  enum sl_status status = sl_sm7_crossbar_init(&g->requests, s->clusters, g->slices, s->crossbar_fifo, err);
  if (status == SL_OK)
    status = sl_sm7_crossbar_init(&g->replies, g->slices, s->clusters, s->crossbar_fifo, err);
  if (status == SL_OK && s->crossbar_queues == SL_SM7_VIRTUAL_QUEUES) {
    status = sl_sm7_queues_init(&g->requests, err);
    if (status == SL_OK)
      status = sl_sm7_queues_init(&g->replies, err);
  }
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

/* Neighbours stay together, so that partitions rarely share lines of the host's caches. */
static void deal(struct sl_sm7_gpu *g)
{
  enum { TOGETHER = 4 };
  for (unsigned c = 0; c < g->spec.clusters; c++) {
    g->part_of[c] = (uint8_t)(c / TOGETHER % g->parts);
    g->part[g->part_of[c]].clusters |= sl_sm7_port(c);
  }
  for (unsigned s = 0; s < g->slices; s++)
    g->part[s / SL_SM7_CHANNEL_SLICES / TOGETHER % g->parts].slices |= UINT64_C(1) << s;
  for (unsigned i = 0; i < g->sms; i++)
    g->sm[i].wire.part = g->part_of[g->sm[i].cluster];
  for (unsigned i = 0; i < g->parts; i++)
    g->part[i].number = i;
  g->requests.writers = g->replies.writers = g->parts;
}

void sl_sm7_hand_over(const struct sl_sm7_gpu *g, const struct sl_sm7_partition *from, struct sl_sm7_partition *to)
{
  uint64_t channels = 0, sms[SL_SM7_SM_WORDS] = {0};
  for (unsigned s = 0; s < g->slices; s++)
    channels |= (to->slices >> s & 1) << s / SL_SM7_CHANNEL_SLICES;
  for (unsigned i = 0; i < g->sms; i++)
    sms[i / 64] |= (uint64_t)(to->clusters >> g->sm[i].cluster & 1) << i % 64;
  to->ejecting |= from->ejecting & to->clusters;
  to->busy_slices |= from->busy_slices & to->slices;
  to->busy_channels |= from->busy_channels & channels;
  for (unsigned c = 0; c < SL_SM7_CALENDAR; c++) {
    to->arriving[c] |= from->arriving[c] & to->slices;
    for (unsigned word = 0; word < g->sm_words; word++)
      to->awake[c][word] |= from->awake[c][word] & sms[word];
  }
}

static enum sl_status divide(struct sl_sm7_gpu *g, unsigned parts, struct sl_error *err)
{
  struct sl_sm7_partition *part = sl_lines_of(parts, sizeof *part), *before = g->part;
  const unsigned count = before != NULL ? g->parts : 0;
  if (!part)
    return sl_no_memory(err, parts * sizeof *part);
  g->part = part;
  g->parts = parts;
  deal(g);
  for (unsigned i = 0; i < parts * count; i++) /* such as write-backs of the last launch */
    sl_sm7_hand_over(g, &before[i % count], &part[i / count]);
  free(before);
  return SL_OK;
}

static void work(void *gpu, unsigned member)
{
  struct sl_sm7_gpu *g = gpu;
  struct sl_sm7_partition *part = &g->part[member];
  if (g->phase != SL_SM7_PHASE_MEMORY)
    sl_sm7_partition_sms(g, part);
  if (g->phase != SL_SM7_PHASE_SMS)
    sl_sm7_partition_memory(g, part, g->phase == SL_SM7_PHASE_MEMORY ? g->cycle : g->cycle + 1);
}

enum sl_status sl_sm7_gpu_share(struct sl_sm7_gpu *g, unsigned threads, struct sl_error *err)
{
  /* A deferred store would see the registers that the warp's second instruction of the cycle writes. */
  const unsigned most = g->spec.issues > 1 ? 1 : g->spec.clusters < SL_SM7_WRITERS ? g->spec.clusters : SL_SM7_WRITERS;
  sl_thread_pool_free(g->pool);
  g->pool = threads > 1 && most > 1 ? sl_thread_pool_create(threads < most ? threads : most, NULL, work, g) : NULL;
  return divide(g, g->pool ? sl_thread_pool_members(g->pool) : 1, err);
}

enum sl_status sl_sm7_gpu_create(struct sl_sm7_gpu **gpu, const struct sl_sm7_spec *spec, struct sl_error *err)
{
  struct sl_sm7_gpu *g = sl_lines_of(1, sizeof *g);
  if (!g)
    return sl_no_memory(err, sizeof *g);
  g->spec = *spec;
  g->sms = spec->clusters * spec->sms_per_cluster;
  g->sm_words = (g->sms + 63) / 64;
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
    status = divide(g, 1, err);
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
  sl_thread_pool_free(g->pool);
  sl_sm7_events_free(g->events, g->sms);
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
  free(g->part);
  free(g->operands);
  free(g->sm);
  free(g->slice);
  free(g->dram);
  free(g);
}

/* Of a long copy only the last lines stay in the L2 cache. The part that matters is a multiple of its size, so that
 * each set of each slice is replaced several times, wherever addresses are hashed to. */
void sl_sm7_gpu_copy(struct sl_sm7_gpu *g, uint64_t address, uint64_t bytes)
{
  enum { TIMES = 4 };
  const uint64_t end = address + bytes;
  const uint64_t matters = (uint64_t)TIMES * g->slices * g->spec.l2_sets * g->spec.l2_ways * SL_SM7_LINE;
  if (bytes > matters)
    address = (end - matters) / SL_SM7_LINE * SL_SM7_LINE;
  for (uint64_t a = address, next; a < end && g->spec.l2_warm; a = next) { /* a line is in one slice */
    const uint64_t line_end = (a / SL_SM7_LINE + 1) * SL_SM7_LINE;
    const unsigned sectors = (unsigned)(((line_end < end ? line_end : end) - a + SL_SM7_SECTOR - 1) / SL_SM7_SECTOR);
    next = a + (uint64_t)sectors * SL_SM7_SECTOR;
    sl_sm7_slice_warm(&g->slice[sl_sm7_place(&g->spec, a).slice], a, sectors, g->before);
  }
}

/* The code may change between launches. */
static enum sl_status find_operands(struct sl_sm7_gpu *g, struct sl_error *err)
{
  if (g->spec.register_model != SL_SM7_REGISTERS_VOLTA)
    return SL_OK;
  const size_t count = g->front.count + (size_t)1; /* RISC-V has one behind the last (sm7_rv_warps.c) */
  free(g->operands);
  g->operands = calloc(count, sizeof *g->operands);
  if (g->operands == NULL)
    return sl_no_memory(err, count * sizeof *g->operands);
  sl_sm7_find_operands(g->front.code, g->front.count, g->operands);
  for (unsigned i = 0; i < g->sms; i++)
    g->sm[i].wire.operands = g->operands;
  return SL_OK;
}

/* Each advances the time of the caches' replacement order. */
static void visit_sector(struct sl_sm7_gpu *g, struct sl_sm7_sm *sm, uint64_t address, bool write)
{
  const uint64_t now = g->before++ + g->cycle;
  if (!write && sl_sm7_cache_visit(&sm->l1, sl_sm7_l1_set(&g->spec, address), address, false, now))
    return;
  const struct sl_sm7_place at = sl_sm7_place(&g->spec, address);
  if (!sl_sm7_slice_visit(&g->slice[at.slice], address, write, now) && !write)
    sl_sm7_dram_visit(&g->dram[at.slice / SL_SM7_CHANNEL_SLICES], at.bank, at.row);
}

/* Neighbours in a warp mostly access the same sector. */
void sl_sm7_gpu_visit(struct sl_sm7_gpu *g, const struct sl_sm7_visit *v)
{
  const uint64_t block = v->block[0] + (uint64_t)v->grid[0] * (v->block[1] + (uint64_t)v->grid[1] * v->block[2]);
  uint64_t before = UINT64_MAX;
  for (uint32_t rest = v->active; rest; rest &= rest - 1) {
    const uint64_t first = v->address[__builtin_ctz(rest)], last = first + v->bytes - 1;
    for (uint64_t sector = first / SL_SM7_SECTOR; sector <= last / SL_SM7_SECTOR; sector++) {
      if (sector != before)
        visit_sector(g, &g->sm[block % g->sms], sector * SL_SM7_SECTOR, v->write);
      before = sector;
    }
  }
}

enum sl_status sl_sm7_gpu_launch(struct sl_sm7_gpu *g, const struct sl_sm7_front *front,
                                 const struct sl_sm7_demand *demand, struct sl_error *err)
{
  enum sl_status status = sl_sm7_occupancy(&g->spec, demand, &g->occupancy, err);
  if (status != SL_OK)
    return status;
  g->front = *front;
  status = find_operands(g, err);
  if (status != SL_OK)
    return status;
  g->before += g->cycle;
  g->cycle = 0;
  g->core_time = g->dram_time = 0;
  g->blocks = demand->blocks;
  g->next_block = 0;
  g->room = true;
  g->hold = false;
  for (unsigned i = 0; i < g->spec.clusters; i++) {
    g->turn[i] += g->active_until[i];
    g->active_until[i] = 0;
  }
  for (unsigned i = 0; i < g->sms; i++)
    sl_sm7_sm_launch(&g->sm[i], g->occupancy.resident, demand->threads, g->occupancy.l1_ways);
  return SL_OK;
}

static bool dispatch_to(struct sl_sm7_gpu *g, unsigned cluster)
{
  const unsigned per = g->spec.sms_per_cluster;
  for (unsigned n = 0; n < per; n++) {
    const unsigned local = (n + g->last_sm[cluster] + 1) % per, sm = cluster * per + local;
    if (g->sm[sm].blocks >= g->occupancy.resident)
      continue;
    g->living += g->sm[sm].live == 0;
    g->sm[sm].given = g->next_block++;
    sl_sm7_wake(g, sm, g->cycle + 1);
    g->running++;
    g->last_sm[cluster] = local;
    return true;
  }
  return false;
}

/* Dispatches at most one block per cluster and cycle. The host thread of the SM performs the start of the block. */
static void dispatch(struct sl_sm7_gpu *g)
{
  if (g->next_block == g->blocks || !g->room || g->hold || g->cycle < g->spec.launch_cycles)
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

/* With r2d2.global_wait: all SMs continue once every SM has the linear registers of its first blocks. */
static void open_phases(struct sl_sm7_gpu *g)
{
  bool done = g->next_block == g->blocks || !g->room;
  for (unsigned i = 0; i < g->sms && done; i++)
    done = sl_sm7_phases_done(&g->sm[i]);
  for (unsigned i = 0; i < g->sms && done; i++) {
    sl_sm7_phases_open(&g->sm[i]);
    if (g->sm[i].blocks > 0)
      sl_sm7_wake(g, i, g->cycle + 1);
  }
}

/* Whether the next phase is worth the synchronisation of host threads: enough SMs, ports and slices are active. */
static bool is_worth_it(const struct sl_sm7_gpu *g)
{
  enum { SM = 4, PORT = 1, ENOUGH = 24 };
  int work = PORT * (sl_sm7_count_ports(g->requests.filled) + sl_sm7_count_ports(g->replies.filled));
  for (unsigned i = 0; i < g->parts; i++) {
    work += PORT * __builtin_popcountll(g->part[i].busy_slices);
    for (unsigned word = 0; word < g->sm_words; word++)
      work += SM * __builtin_popcountll(g->part[i].awake[g->cycle % SL_SM7_CALENDAR][word]);
  }
  return work >= ENOUGH;
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The only partition of a GPU that reports events. */
static void work_observed(struct sl_sm7_gpu *g)
{
  if (g->phase != SL_SM7_PHASE_MEMORY)
    sl_sm7_partition_sms_observed(g, &g->part[0]);
  if (g->phase != SL_SM7_PHASE_SMS)
    sl_sm7_partition_memory(g, &g->part[0], g->phase == SL_SM7_PHASE_MEMORY ? g->cycle : g->cycle + 1);
}

ALWAYS_INLINE void all_parts(struct sl_sm7_gpu *g, enum sl_sm7_phase phase, const bool observed)
{
  g->phase = phase;
  if (observed)
    work_observed(g);
  else if (g->pool && g->front.settle && is_worth_it(g))
    sl_thread_pool_run(g->pool);
  else
    for (unsigned i = 0; i < g->parts; i++)
      work(g, i);
}

/* Begins a memory cycle: counts the DRAM ticks in it. */
static void begin_memory(struct sl_sm7_gpu *g)
{
  g->dram_ticks += g->ticks_due;
  for (g->ticks_due = 0; g->dram_time <= g->core_time; g->ticks_due++)
    g->dram_time += 1 / (g->spec.dram_mhz * 1e6);
  g->core_time += 1 / (g->spec.core_mhz * 1e6);
}

/* Performs deferred accesses. If none writes, partitions perform theirs before their SMs' next cycle. */
static void settle(struct sl_sm7_gpu *g, bool all)
{
  uint64_t late[SL_SM7_SM_WORDS] = {0};
  bool wrote = all;
  for (unsigned i = 0; i < g->parts; i++) {
    wrote |= g->part[i].wrote;
    g->part[i].wrote = false;
  }
  for (unsigned i = 0; i < g->parts && wrote; i++)
    for (unsigned word = 0; word < g->sm_words; word++) {
      late[word] |= g->part[i].late[word];
      g->part[i].late[word] = 0;
    }
  sl_sm7_settle(g, late);
}

static void gather(struct sl_sm7_gpu *g)
{
  for (unsigned i = 0; i < g->parts; i++) {
    struct sl_sm7_partition *part = &g->part[i];
    g->running -= part->ended;
    g->living -= part->died;
    g->room |= part->ended != 0;
    g->stop |= part->stop;
    part->ended = part->died = 0;
  }
}

/* With plain round robin the first place rotates over all clusters and slices, for both crossbars. */
static void cross(struct sl_sm7_gpu *g)
{
  if (g->spec.crossbar_queues == SL_SM7_VIRTUAL_QUEUES) {
    sl_sm7_queues_cycle(&g->requests);
    sl_sm7_queues_cycle(&g->replies);
  } else if (g->spec.crossbar == SL_SM7_ROUND_ROBIN) {
    const unsigned clusters = g->spec.clusters, first = (unsigned)((g->before + g->cycle) % (clusters + g->slices));
    sl_sm7_crossbar_rotate(&g->requests, first < clusters ? first : 0, sl_sm7_to_slice, g);
    sl_sm7_crossbar_rotate(&g->replies, first < clusters ? 0 : first - clusters, sl_sm7_to_cluster, g);
  } else {
    sl_sm7_crossbar_cycle(&g->requests, sl_sm7_to_slice, g);
    sl_sm7_crossbar_cycle(&g->replies, sl_sm7_to_cluster, g);
  }
}

/* A core cycle. While warps live, the kernel does not end in it, because exited warps have yet to leave the pipeline.
 * Memory then simulates the next cycle at once, if there is one. */
ALWAYS_INLINE void core_cycle(struct sl_sm7_gpu *g, uint64_t until, const bool observed)
{
  if (!g->ahead) {
    begin_memory(g);
    all_parts(g, SL_SM7_PHASE_MEMORY, observed);
  }
  cross(g);
  g->ahead = g->living != 0 && g->cycle + 1 < until;
  if (g->ahead)
    begin_memory(g);
  all_parts(g, g->ahead ? SL_SM7_PHASE_SMS_AND_MEMORY : SL_SM7_PHASE_SMS, observed);
  gather(g);
  if (g->pool)
    settle(g, !g->ahead || g->stop);
  dispatch(g);
  if (g->spec.linear_global && g->front.phase != NULL && !g->sm[0].phases.open)
    open_phases(g);
  g->cycle++;
}

void sl_sm7_gpu_observe_no_more(struct sl_sm7_gpu *g)
{
  for (unsigned i = 0; g->events != NULL && i < g->sms; i++) {
    sl_sm7_events_flush(&g->events[i]);
    g->sm[i].events = NULL;
  }
  sl_sm7_events_free(g->events, g->sms);
  g->events = NULL;
  g->observation = NULL;
}

/* The kernel has ended, or a fault has ended it. */
static void end_events(struct sl_sm7_gpu *g)
{
  g->observation->cycle = g->cycle;
  for (unsigned i = 0; i < g->sms; i++)
    sl_sm7_events_end(&g->events[i], g->cycle, g->spec.schedulers);
  sl_sm7_gpu_observe_no_more(g);
}

ALWAYS_INLINE enum sl_status run(struct sl_sm7_gpu *g, uint64_t until, const bool observed)
{
  while (g->cycle < until) {
    core_cycle(g, until, observed);
    if (g->stop) {
      bool memory = false;
      for (unsigned i = 0; i < g->sms; i++)
        memory |= g->sm[i].out_of_memory;
      if (observed)
        end_events(g);
      return memory ? SL_INTERNAL : SL_FAULT;
    }
    if (g->running == 0 && g->next_block == g->blocks) {
      for (unsigned i = 0; i < g->sms; i++)
        sl_sm7_sm_end(&g->sm[i]);
      if (observed)
        end_events(g);
      return SL_OK;
    }
    if (observed && sl_probes_stopped(g->observation->probes))
      break;
  }
  return SL_PAUSED;
}

/* The loop is compiled with events and without. */
enum sl_status sl_sm7_gpu_run(struct sl_sm7_gpu *g, uint64_t until)
{
  return g->events != NULL ? run(g, until, true) : run(g, until, false);
}

enum sl_status sl_sm7_gpu_observe(struct sl_sm7_gpu *g, struct sl_sm7_observation *observation, struct sl_error *err)
{
  sl_sm7_events_free(g->events, g->sms);
  g->observation = observation;
  g->events = sl_sm7_events_create(g->sms, observation);
  for (unsigned i = 0; i < g->sms; i++)
    g->sm[i].events = g->events != NULL ? &g->events[i] : NULL;
  return g->events != NULL ? SL_OK : sl_no_memory(err, g->sms * sizeof *g->events);
}

/* Whether a block is about to begin or to leave its SM. */
static bool blocks_change(const struct sl_sm7_gpu *g, const struct sl_sm7_sm *sm)
{
  bool change = sm->given != SL_SM7_NO_BLOCK;
  for (unsigned rest = sm->used_slots; rest && g->next_block < g->blocks; rest &= rest - 1)
    change |= sm->block[sl_lowest(rest)].active == 0;
  return change;
}

bool sl_sm7_gpu_is_livelocked(struct sl_sm7_gpu *g)
{
  const struct sl_sm7_front *front = &g->front;
  bool any = false, all = true;
  if (front->spins == NULL || (front->pass != NULL && !front->lowered) || front->phase != NULL ||
      (g->next_block < g->blocks && g->room))
    return false;
  for (unsigned i = 0; i < g->sms; i++)
    if (blocks_change(g, &g->sm[i]))
      return false;
  struct sl_trial_memory *memory = sl_trial_memory_create();
  for (unsigned i = 0; i < g->sms && all; i++)
    for (uint64_t rest = g->sm[i].live & ~g->sm[i].barrier; rest && all; rest &= rest - 1, any = true) {
      const struct sl_sm7_warp *w = &g->sm[i].warp[sl_lowest(rest)];
      all = front->spins(front->context, i, w->slot, w->index, memory);
    }
  sl_trial_memory_free(memory);
  return all && any;
}

static void add_counts(struct sl_sm7_counts *sum, const struct sl_sm7_counts *c)
{
  sum->warp_instructions += c->warp_instructions;
  sum->thread_instructions += c->thread_instructions;
  sum->cycles += c->cycles;
  sum->blocks += c->blocks;
  sum->shared_cycles += c->shared_cycles;
  sum->shared_instructions += c->shared_instructions;
  sum->sectors += c->sectors;
  sum->words_read += c->words_read;
  sum->words_written += c->words_written;
  sum->narrow_reads += c->narrow_reads;
  sum->sums += c->sums;
  sum->fetches += c->fetches;
  sum->memory_instructions += c->memory_instructions;
  sum->constant_passes += c->constant_passes;
  sum->others += c->others;
  sum->linear_cycles += c->linear_cycles;
  sum->passed += c->passed;
  sum->strayed += c->strayed;
  sum->passed_lanes += c->passed_lanes;
  sum->scalar += c->scalar;
  for (unsigned i = 0; i < SL_SM7_PHASE_REST; i++) {
    sum->of_phase[i] += c->of_phase[i];
    sum->lanes_of_phase[i] += c->lanes_of_phase[i];
  }
  for (unsigned i = 0; i < SL_SM7_CLASSES; i++)
    sum->lanes[i] += c->lanes[i];
  for (unsigned i = 0; i < SL_SM7_STALL_REASONS; i++)
    sum->cause[i] += c->cause[i];
}

struct sl_sm7_totals sl_sm7_gpu_totals(const struct sl_sm7_gpu *g)
{
  struct sl_sm7_totals t = {0};
  for (unsigned i = 0; i < g->sms; i++) {
    add_counts(&t.sm, &g->sm[i].counts);
    t.l1_accesses += g->sm[i].l1.accesses;
    t.l1_misses += g->sm[i].l1.missed;
    t.l1_writes += g->sm[i].l1.writes;
    t.l1_write_misses += g->sm[i].l1.writes_missed;
    t.l1_prefetches += g->sm[i].l1.prefetches;
    t.l1_prefetch_hits += g->sm[i].l1.prefetch_hits;
    t.icache_accesses += g->sm[i].instructions.accesses;
    t.icache_misses += g->sm[i].instructions.missed;
    t.ccache_accesses += g->sm[i].constants.accesses;
    t.ccache_misses += g->sm[i].constants.missed;
    t.texture_accesses += g->sm[i].textures.accesses;
    t.texture_misses += g->sm[i].textures.missed;
  }
  for (unsigned i = 0; i < g->slices; i++) {
    t.l2_accesses += g->slice[i].cache.accesses;
    t.l2_misses += g->slice[i].cache.missed;
    t.l2_writes += g->slice[i].cache.writes;
    t.l2_write_misses += g->slice[i].cache.writes_missed;
  }
  for (unsigned i = 0; i < g->spec.channels; i++) {
    t.dram_reads += g->dram[i].reads;
    t.dram_writes += g->dram[i].writes;
    t.activations += g->dram[i].activations;
  }
  return t;
}
