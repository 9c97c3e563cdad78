#include "machine/sm7/sm7_gpu.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_stages.h"

static uint64_t bit(unsigned number)
{
  return UINT64_C(1) << number;
}

void sl_sm7_wake(struct sl_sm7_gpu *g, unsigned sm, uint64_t cycle)
{
  struct sl_sm7_partition *part = &g->part[g->part_of[g->sm[sm].cluster]];
  const uint64_t latest = g->cycle + SL_SM7_CALENDAR - 1; /* an early evaluation has no effect */
  part->awake[(cycle < latest ? cycle : latest) % SL_SM7_CALENDAR][sm / 64] |= bit(sm % 64);
}

unsigned sl_sm7_to_cluster(const void *gpu, const struct sl_sm7_packet *p)
{
  const struct sl_sm7_gpu *g = gpu;
  return p->sm / g->spec.sms_per_cluster;
}

unsigned sl_sm7_to_slice(const void *gpu, const struct sl_sm7_packet *p)
{
  (void)gpu;
  return p->slice;
}

static void reply_to_sm(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, unsigned c, uint64_t cycle)
{
  struct sl_sm7_ring *fifo = &g->ejection[c];
  if (fifo->count) {
    const struct sl_sm7_packet *p = sl_sm7_ring_front(fifo);
    const unsigned sm = p->sm;
    if (p->client == SL_SM7_TO_FETCH) {
      sl_sm7_instructions_came(&g->sm[sm], p, g->before + cycle);
      sl_sm7_ring_pop(fifo);
    } else if (!sl_sm7_ring_full(&g->sm[sm].response)) {
      sl_sm7_ring_move(fifo, &g->sm[sm].response);
    }
    sl_sm7_wake(g, sm, cycle);
  }
  if (!sl_sm7_ring_full(fifo) && g->replies.out[c].count)
    sl_sm7_ring_move(&g->replies.out[c], fifo);
  part->ejecting = fifo->count ? part->ejecting | sl_sm7_port(c) : part->ejecting & ~sl_sm7_port(c);
}

static void replies_to_sms(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, uint64_t cycle)
{
  const sl_sm7_ports look = part->ejecting | (g->replies.filled & part->clusters);
  for (uint64_t rest = (uint64_t)look; rest; rest &= rest - 1)
    reply_to_sm(g, part, sl_lowest(rest), cycle);
  for (uint64_t rest = (uint64_t)(look >> 64); rest; rest &= rest - 1)
    reply_to_sm(g, part, 64 + sl_lowest(rest), cycle);
}

static void replies_to_crossbar(struct sl_sm7_gpu *g, const struct sl_sm7_partition *part)
{
  for (uint64_t rest = part->busy_slices; rest; rest &= rest - 1) {
    const unsigned s = (unsigned)__builtin_ctzll(rest);
    struct sl_sm7_ring *out = &g->slice[s].output;
    if (out->count == 0 || sl_sm7_ring_full(&g->replies.in[s]))
      continue;
    const struct sl_sm7_packet *p = sl_sm7_ring_front(out);
    sl_sm7_crossbar_push(&g->replies, part->number, s, sl_sm7_to_cluster(g, p), p);
    sl_sm7_ring_pop(out);
  }
}

static void tick_dram(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, uint64_t tick, uint64_t cycle)
{
  for (uint64_t rest = part->busy_channels; rest; rest &= rest - 1) {
    const unsigned c = (unsigned)__builtin_ctzll(rest);
    struct sl_sm7_slice *a = &g->slice[SL_SM7_CHANNEL_SLICES * c], *b = a + 1;
    struct sl_sm7_dram_port port[] = {{&a->to_dram, &a->from_dram}, {&b->to_dram, &b->from_dram}};
    if (!sl_sm7_dram_tick(&g->dram[c], port, tick, cycle) && !a->to_dram.count && !b->to_dram.count)
      part->busy_channels &= ~bit(c);
    part->busy_slices |= (uint64_t)(a->from_dram.count != 0) << SL_SM7_CHANNEL_SLICES * c;
    part->busy_slices |= (uint64_t)(b->from_dram.count != 0) << (SL_SM7_CHANNEL_SLICES * c + 1);
  }
}

static void run_slices(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, uint64_t cycle)
{
  uint64_t *arriving = &part->arriving[cycle % SL_SM7_CALENDAR];
  const uint64_t look = part->busy_slices | ((uint64_t)g->requests.filled & part->slices) | *arriving;
  *arriving = 0;
  for (uint64_t rest = look; rest; rest &= rest - 1) {
    const unsigned s = (unsigned)__builtin_ctzll(rest);
    struct sl_sm7_slice *slice = &g->slice[s];
    struct sl_sm7_ring *in = &g->requests.out[s];
    if (in->count && sl_sm7_slice_has_room(slice)) {
      sl_sm7_slice_take(slice, sl_sm7_ring_front(in), cycle);
      sl_sm7_ring_pop(in);
      part->arriving[(cycle + g->spec.l2_delay) % SL_SM7_CALENDAR] |= bit(s);
    }
    const bool busy = sl_sm7_slice_cycle(slice, cycle, g->before + cycle);
    part->busy_slices = busy ? part->busy_slices | bit(s) : part->busy_slices & ~bit(s);
    if (slice->to_dram.count)
      part->busy_channels |= bit(s / SL_SM7_CHANNEL_SLICES);
  }
}

void sl_sm7_partition_memory(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, uint64_t cycle)
{
  replies_to_sms(g, part, cycle);
  replies_to_crossbar(g, part);
  for (unsigned i = 0; i < g->ticks_due; i++)
    tick_dram(g, part, g->dram_ticks + i, cycle);
  run_slices(g, part, cycle);
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void run_sm(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, unsigned number, bool crowded,
                          const bool observed)
{
  struct sl_sm7_sm *sm = &g->sm[number];
  if (sm->given != SL_SM7_NO_BLOCK)
    (observed ? sl_sm7_sm_start_observed : sl_sm7_sm_start)(sm, g->cycle);
  if (sm->blocks == 0)
    return;
  const unsigned blocks = sm->blocks, cluster = sm->cluster;
  const bool lived = sm->live != 0;
  const uint64_t next =
      (observed ? sl_sm7_sm_cycle_observed : sl_sm7_sm_cycle)(sm, g->cycle, g->before + g->cycle, crowded);
  if (next != SL_SM7_ASLEEP && sm->blocks)
    sl_sm7_wake(g, number, next);
  part->ended += blocks - sm->blocks;
  part->died += lived && sm->live == 0;
  part->stop |= sm->failed;
  if (sm->late != SL_SM7_NOTHING_LATE) {
    part->late[number / 64] |= bit(number % 64);
    part->wrote |= sm->late == SL_SM7_LATE_WRITES;
  }
  if (g->spec.perfect_memory && g->ejection[cluster].count)
    part->ejecting |= sl_sm7_port(cluster);
  g->active_until[cluster] = g->cycle + 1;
}

/* Takes the SMs of a set one by one: clusters in order, and in each the order that rotates every cycle. */
static unsigned take_sm(const struct sl_sm7_gpu *g, uint64_t set[SL_SM7_SM_WORDS], unsigned word)
{
  const unsigned per = g->spec.sms_per_cluster, lowest = 64 * word + (unsigned)__builtin_ctzll(set[word]);
  const unsigned cluster = lowest / per, turn = (unsigned)((g->turn[cluster] + g->cycle) % per);
  unsigned sm = cluster * per + turn;
  while (!(set[sm / 64] >> sm % 64 & 1))
    sm = sm + 1 < (cluster + 1) * per ? sm + 1 : cluster * per;
  set[sm / 64] &= ~bit(sm % 64);
  return sm;
}

void sl_sm7_settle(struct sl_sm7_gpu *g, uint64_t late[SL_SM7_SM_WORDS])
{
  for (unsigned word = 0; word < g->sm_words; word++)
    while (late[word])
      g->front.settle(g->front.context, take_sm(g, late, word));
}

/* SMs whose state fits the host's second-level cache. */
enum { FEW = 16 };

ALWAYS_INLINE void run_sms(struct sl_sm7_gpu *g, struct sl_sm7_partition *part, const bool observed)
{
  uint64_t *awake = part->awake[g->cycle % SL_SM7_CALENDAR];
  unsigned count = 0;
  sl_sm7_settle(g, part->late);
  for (unsigned word = 0; word < g->sm_words; word++)
    count += sl_count(awake[word]);
  for (unsigned word = 0; word < g->sm_words; word++)
    while (awake[word])
      run_sm(g, part, take_sm(g, awake, word), count > FEW, observed);
}

void sl_sm7_partition_sms(struct sl_sm7_gpu *g, struct sl_sm7_partition *part)
{
  run_sms(g, part, false);
}

void sl_sm7_partition_sms_observed(struct sl_sm7_gpu *g, struct sl_sm7_partition *part)
{
  run_sms(g, part, true);
}
