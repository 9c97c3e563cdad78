#include "timing/memory/memory_port.h"

#include "base/state_archive.h"

static const struct sl_memory_entry *at(const struct sl_memory_ring *ring, unsigned i)
{
  return &ring->entry[(ring->first + i) & (ring->room - 1)];
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { BANKS = SL_LIMIT_OWN, ALL_BANKS, CHANNELS };

static SL_SCHEMA(request_schema, struct sl_dram_request, NULL,
                 SL_ANY(address, tag, arrived, row, bank, write, counted));

static bool order_valid(const struct sl_dram_queue *q, int64_t banks)
{
  uint64_t seen = 0;
  bool valid = true;
  for (unsigned i = 0; i < q->count && valid; i++)
    valid = sl_once(&seen, q->order[i], SL_DRAM_MAX_QUEUE) && q->request[q->order[i]].bank < banks;
  return valid && seen == q->used;
}

static SL_CHECKED_SCHEMA(queue_schema, struct sl_dram_queue, order_valid(self, limit[BANKS]),
                         SL_MOST(SL_DRAM_MAX_QUEUE, count), SL_ANY(used, order), SL_STRUCTS(request_schema, request));

static SL_SCHEMA(read_schema, struct sl_dram_read, NULL, SL_ANY(tag, ready));
static SL_SCHEMA(issue_schema, struct sl_dram_issue, NULL, SL_ANY(tick, command, bank, row));

static SL_SCHEMA(channel_schema, struct sl_dram_channel, NULL,
                 SL_ANY(next, next_command, row, draining, refresh_due, refreshes_owed, busy, busy_since),
                 SL_SET_OF(ALL_BANKS, open), SL_ANY_GRID(ready, history),
                 SL_STRUCTS(queue_schema, activated, reads, writes), SL_BELOW(SL_DRAM_MAX_READS, first),
                 SL_MOST(SL_DRAM_MAX_READS, under_way), SL_STRUCTS(read_schema, read),
                 SL_STRUCTS(issue_schema, latest));

static SL_SCHEMA(statistics_schema, struct sl_dram_statistics, NULL,
                 SL_ANY(reads, writes, forwarded, row_hits, row_misses, row_conflicts, refreshes, busy));

static SL_SCHEMA(controller_schema, struct sl_dram_controller, NULL, SL_DERIVED(plan), SL_ANY(next),
                 SL_SET_OF(CHANNELS, working), SL_BELOW(SL_DRAM_MAX_DONE, first_done),
                 SL_MOST(SL_DRAM_MAX_DONE, done_count), SL_STRUCTS(read_schema, done),
                 SL_STRUCTS(statistics_schema, statistics), SL_STRUCTS(channel_schema, channel));

static SL_SCHEMA(port_schema, struct sl_memory_port_state, NULL, SL_ANY(reads, answered, latest_answer),
                 SL_STRUCTS(controller_schema, dram));

static SL_SCHEMA(entry_schema, struct sl_memory_entry, NULL, SL_ANY(address, tag, cycle, write));

/* The number of entries, then the entries, oldest first. */
static void walk_ring(struct sl_memory_ring *ring, struct sl_archive *archive)
{
  const uint32_t count = sl_archive_number(archive, ring->count, UINT32_MAX);
  if (sl_archive_reads(archive)) {
    ring->count = ring->first = 0;
    if (!sl_archive_expect(archive, count <= (archive->size - archive->at) / (3 * sizeof(uint64_t))) ||
        !sl_archive_memory(archive, sl_memory_ring_reserve(ring, count) ? ring : NULL))
      return;
    ring->count = count;
  }
  for (uint32_t i = 0; i < count && !archive->bad; i++)
    sl_archive_structs(archive, "entry", entry_schema, at(ring, i), 1);
}

void sl_memory_port_walk(struct sl_memory_port *m, struct sl_archive *archive)
{
  uint64_t most = SL_DRAM_MAX_DONE + SL_DRAM_MAX_CHANNELS * (SL_DRAM_MAX_READS + SL_DRAM_MAX_QUEUE); /* undone reads */
  archive->limits.value[BANKS] = m->s.dram.plan.banks;
  archive->limits.value[ALL_BANKS] = (int64_t)sl_low_bits(m->s.dram.plan.banks);
  archive->limits.value[CHANNELS] = (int64_t)sl_low_bits(m->s.dram.plan.channels);
  sl_archive_structs(archive, "memory", port_schema, &m->s, 1);
  for (unsigned p = 0; p < m->ports; p++) {
    walk_ring(&m->queue[p], archive);
    most += m->queue[p].count;
  }
  walk_ring(&m->answers, archive);
  /* Reserves room for future answers, as sl_memory_port_put does. */
  if (sl_archive_reads(archive) && sl_archive_expect(archive, m->s.reads <= most) &&
      !sl_memory_ring_reserve(&m->answers, m->answers.count + (m->in_order ? 0 : m->s.reads)))
    sl_archive_memory(archive, NULL);
}

/* ---- the controllers --------------------------------------------------------------------------------------------- */

static bool direction_valid(const struct sl_dram_queue *q, bool write)
{
  for (unsigned i = 0; i < q->count; i++)
    if (q->request[q->order[i]].write != write)
      return false;
  return true;
}

/* Each activated request has its row open, and each bank has at most one such row. */
static bool activated_valid(const struct sl_dram_channel *ch)
{
  uint64_t banks = 0;
  for (unsigned i = 0; i < ch->activated.count; i++)
    banks |= sl_bit(ch->activated.request[ch->activated.order[i]].bank);
  return (banks & ~ch->open) == 0 && sl_count(banks) == ch->activated.count;
}

/* No work of a DRAM cycle that has passed may remain. */
static bool channel_valid(const struct sl_dram_channel *ch, const struct sl_dram_plan *plan, uint64_t passed)
{
  const bool refreshed = plan->refresh ? ch->refresh_due > passed && ch->refresh_due < (uint64_t)SL_CYCLES_MAX
                                       : ch->refresh_due == UINT64_MAX && ch->refreshes_owed == 0;
  return refreshed && direction_valid(&ch->reads, false) && direction_valid(&ch->writes, true) && activated_valid(ch) &&
         ch->reads.count <= plan->read_queue && ch->writes.count <= plan->write_queue &&
         ch->reads.count + ch->activated.count + ch->under_way <= SL_DRAM_MAX_READS;
}

static bool controller_valid(const struct sl_dram_controller *d, uint64_t passed)
{
  const struct sl_dram_plan *plan = &d->plan;
  if (d->working != 0 && d->next <= passed)
    return false;
  for (unsigned c = 0; c < plan->channels; c++)
    if (!channel_valid(&d->channel[c], plan, passed) ||
        ((d->working >> c & 1) && (d->channel[c].next <= passed || d->channel[c].next < d->next)))
      return false;
  return true;
}

/* ---- reads: each number or tag occurs in one place --------------------------------------------------------------- */

struct search {
  const struct sl_memory_port *m;
  bool (*see)(void *context, uint64_t tag);
  void *context;
  unsigned found;
};

static bool found(struct search *s, uint64_t tag)
{
  s->found++;
  return s->see(s->context, tag);
}

static bool search_requests(struct search *s, const struct sl_dram_queue *q)
{
  for (unsigned i = 0; i < q->count; i++)
    if (!q->request[q->order[i]].write && !found(s, q->request[q->order[i]].tag))
      return false;
  return true;
}

static bool search_channel(struct search *s, const struct sl_dram_channel *ch)
{
  for (unsigned i = 0; i < ch->under_way; i++)
    if (!found(s, ch->read[(ch->first + i) % SL_DRAM_MAX_READS].tag))
      return false;
  return search_requests(s, &ch->reads) && search_requests(s, &ch->activated);
}

/* Visits the reads that DRAM has not done. */
static bool search_undone(struct search *s)
{
  const struct sl_dram_controller *d = &s->m->s.dram;
  for (unsigned p = 0; p < s->m->ports; p++)
    for (unsigned i = 0; i < s->m->queue[p].count; i++)
      if (!at(&s->m->queue[p], i)->write && !found(s, at(&s->m->queue[p], i)->tag))
        return false;
  for (unsigned i = 0; i < d->done_count; i++)
    if (!found(s, d->done[(d->first_done + i) % SL_DRAM_MAX_DONE].tag))
      return false;
  for (unsigned c = 0; c < d->plan.channels; c++)
    if (!search_channel(s, &d->channel[c]))
      return false;
  return true;
}

/* With in-order answers, DRAM stores a number: that of an answer with unknown cycle. Marks the answer by another
 * invalid cycle. */
static bool mark(void *context, uint64_t number)
{
  const struct sl_memory_port *m = context;
  const uint64_t i = number - m->s.answered;
  if (i >= m->answers.count)
    return false;
  struct sl_memory_entry *e = &m->answers.entry[(m->answers.first + (unsigned)i) & (m->answers.room - 1)];
  const bool first = e->cycle == UINT64_MAX;
  e->cycle = UINT64_MAX - 1;
  return first;
}

/* Resets all marked answers to an unknown cycle and returns their number. */
static unsigned unmark(const struct sl_memory_port *m)
{
  unsigned unknown = 0;
  for (unsigned i = 0; i < m->answers.count; i++) {
    struct sl_memory_entry *e = &m->answers.entry[(m->answers.first + i) & (m->answers.room - 1)];
    unknown += e->cycle >= UINT64_MAX - 1;
    e->cycle = e->cycle == UINT64_MAX - 1 ? UINT64_MAX : e->cycle;
  }
  return unknown;
}

static bool is_any(void *context, uint64_t tag)
{
  (void)context;
  (void)tag;
  return true;
}

static bool reads_valid(const struct sl_memory_port *m)
{
  struct search s = {.m = m, .see = m->in_order ? mark : is_any, .context = (void *)(uintptr_t)m};
  const bool once = search_undone(&s);
  const unsigned unknown = m->in_order ? unmark(m) : s.found;
  return once && s.found == m->s.reads && unknown == s.found;
}

/* ---- the port ---------------------------------------------------------------------------------------------------- */

bool sl_memory_port_valid(const struct sl_memory_port *m, uint64_t cycle)
{
  const uint64_t passed = cycle > 0 ? sl_dram_tick(&m->s.dram.plan, cycle - 1) : 0;
  return controller_valid(&m->s.dram, passed) && reads_valid(m);
}

bool sl_memory_port_each_read(const struct sl_memory_port *m, bool (*see)(void *context, uint64_t tag), void *context)
{
  struct search s = {.m = m, .see = see, .context = context};
  for (unsigned i = 0; i < m->answers.count; i++)
    if (!see(context, at(&m->answers, i)->tag))
      return false;
  return m->in_order || search_undone(&s);
}
