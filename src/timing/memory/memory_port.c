#include "timing/memory/memory_port.h"

#include <stdlib.h>
#include <string.h>

#include "base/schema.h"

static struct sl_memory_entry *at(const struct sl_memory_ring *ring, uint64_t i)
{
  return &ring->entry[(ring->first + i) & (ring->room - 1)];
}

bool sl_memory_ring_reserve(struct sl_memory_ring *ring, unsigned count)
{
  enum { LEAST = 64 };
  if (count <= ring->room)
    return true;
  unsigned room = ring->room > 0 ? ring->room : LEAST;
  while (room < count)
    room *= 2;
  struct sl_memory_entry *entry = calloc(room, sizeof(*entry));
  if (entry == NULL)
    return false;
  for (unsigned i = 0; i < ring->count; i++)
    entry[i] = *at(ring, i);
  free(ring->entry);
  ring->entry = entry;
  ring->room = room;
  ring->first = 0;
  return true;
}

/* Appends an entry; there must be room. */
static void append(struct sl_memory_ring *ring, struct sl_memory_entry entry)
{
  *at(ring, ring->count++) = entry;
}

static struct sl_memory_entry shift(struct sl_memory_ring *ring)
{
  const struct sl_memory_entry entry = *at(ring, 0);
  ring->first = (ring->first + 1) & (ring->room - 1);
  ring->count--;
  return entry;
}

enum sl_status sl_memory_port_check(const struct sl_memory_port_spec *spec, struct sl_error *err)
{
  enum { MAX_DELAY = 1024 };
  if (spec->ports < 1 || spec->ports > SL_MEMORY_MAX_PORTS)
    return sl_fail(err, SL_USAGE, "A memory cannot have %u ports; it has 1 to %d.", spec->ports, SL_MEMORY_MAX_PORTS);
  if (spec->response_delay > MAX_DELAY)
    return sl_fail(err, SL_USAGE, "A memory cannot answer after %u cycles; the maximum is %d.", spec->response_delay,
                   MAX_DELAY);
  return sl_dram_spec_check(&spec->dram, err);
}

void sl_memory_port_init(struct sl_memory_port *m, const struct sl_memory_port_spec *spec)
{
  m->ports = spec->ports;
  m->response_delay = spec->response_delay;
  m->in_order = spec->in_order;
  m->s.reads = 0;
  m->s.answered = 0;
  m->s.latest_answer = UINT64_MAX;
  for (unsigned p = 0; p < SL_MEMORY_MAX_PORTS; p++)
    m->queue[p].count = 0;
  m->answers.count = 0;
  sl_dram_controller_init(&m->s.dram, &spec->dram);
}

void sl_memory_port_free(struct sl_memory_port *m)
{
  for (unsigned p = 0; p < SL_MEMORY_MAX_PORTS; p++) {
    free(m->queue[p].entry);
    m->queue[p] = (struct sl_memory_ring){0};
  }
  free(m->answers.entry);
  m->answers = (struct sl_memory_ring){0};
}

/* Reserves room for every answer, so that a cycle allocates nothing. With in-order answers, DRAM stores the number of a
 * read. */
bool sl_memory_port_put(struct sl_memory_port *m, unsigned port, uint64_t cycle, uint64_t address, bool write,
                        uint64_t tag)
{
  struct sl_memory_ring *queue = &m->queue[port];
  struct sl_memory_entry entry = {.address = address, .tag = tag, .cycle = cycle, .write = write};
  if (!sl_memory_ring_reserve(queue, queue->count + 1))
    return false;
  if (!write) {
    const unsigned undone = m->in_order ? 0 : m->s.reads;
    if (!sl_memory_ring_reserve(&m->answers, m->answers.count + undone + 1))
      return false;
    m->s.reads++;
  }
  if (!write && m->in_order) {
    entry.tag = m->s.answered + m->answers.count;
    append(&m->answers, (struct sl_memory_entry){.tag = tag, .cycle = UINT64_MAX});
  }
  append(queue, entry);
  return true;
}

static void collect(struct sl_memory_port *m)
{
  struct sl_dram_read read;
  while (sl_dram_take_done(&m->s.dram, &read)) {
    const uint64_t cycle = read.ready + m->response_delay;
    m->s.reads--;
    if (m->in_order)
      at(&m->answers, read.tag - m->s.answered)->cycle = cycle;
    else
      append(&m->answers, (struct sl_memory_entry){.tag = read.tag, .cycle = cycle});
  }
}

/* Performs the previous cycle's end first, so that requests may be put at any point of a cycle. */
void sl_memory_port_cycle(struct sl_memory_port *m, uint64_t cycle)
{
  for (unsigned p = 0; p < m->ports; p++) {
    struct sl_memory_ring *queue = &m->queue[p];
    if (queue->count == 0 || at(queue, 0)->cycle >= cycle)
      continue;
    const struct sl_memory_entry *head = at(queue, 0);
    if (sl_dram_take(&m->s.dram, cycle - 1, head->address, head->write, head->tag))
      shift(queue);
  }
  sl_dram_controller_cycle(&m->s.dram, cycle);
  collect(m);
}

uint64_t sl_memory_port_next_answer(const struct sl_memory_port *m, uint64_t cycle)
{
  if (m->answers.count == 0 || at(&m->answers, 0)->cycle == UINT64_MAX)
    return UINT64_MAX;
  const uint64_t ready = at(&m->answers, 0)->cycle;
  const uint64_t first = ready > cycle ? ready : cycle;
  return m->in_order && first == m->s.latest_answer ? first + 1 : first;
}

bool sl_memory_port_answer(struct sl_memory_port *m, uint64_t cycle, uint64_t *tag)
{
  if (sl_memory_port_next_answer(m, cycle) != cycle)
    return false;
  *tag = shift(&m->answers).tag;
  m->s.answered++;
  m->s.latest_answer = cycle;
  return true;
}

uint64_t sl_memory_port_next(const struct sl_memory_port *m, uint64_t cycle)
{
  uint64_t next = sl_dram_controller_next(&m->s.dram, cycle);
  for (unsigned p = 0; p < m->ports; p++) {
    if (m->queue[p].count == 0)
      continue;
    /* DRAM frees room for a waiting port in the cycle after a command. */
    const struct sl_memory_entry *head = at(&m->queue[p], 0);
    const uint64_t offered = head->cycle + 1 > cycle ? head->cycle + 1 : cycle;
    if (offered < next && sl_dram_can_take(&m->s.dram, head->address, head->write))
      next = offered;
  }
  return next;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { BANKS = SL_LIMIT_OWN, ALL_BANKS, CHANNELS, PORT, IN_ORDER, UNDONE, WRITES };

/* A read that DRAM has not done. With in-order answers, its tag is a number: that of an answer with unknown cycle. */
static bool is_undone(struct sl_archive *t, bool is_read, uint64_t tag)
{
  const int64_t *limit = t->limits.value;
  t->limits.value[UNDONE] += is_read;
  return limit[IN_ORDER] ? sl_archive_give(t, 0, (uint64_t)limit[PORT], tag, is_read)
                         : sl_archive_read(t, is_read, tag, 0);
}

/* A queue is of reads, of writes (WRITES is 1) or of both (-1). */
static SL_CHECKED_SCHEMA(request_schema, struct sl_dram_request,
                         is_undone(t, !self->write, self->tag) && (limit[WRITES] < 0 || self->write == limit[WRITES]),
                         SL_ANY(address, tag, arrived, row, write, counted), SL_BELOW_LIMIT(BANKS, bank));

static void walk_queue(struct sl_archive *archive, void *object)
{
  const struct sl_dram_queue *q = object;
  uint64_t seen = 0;
  for (unsigned i = 0; i < q->count && !archive->bad; i++)
    sl_archive_structs(archive, "request", request_schema, &q->request[q->order[i]], 1);
  sl_archive_expect(archive, sl_all_once(&seen, q->order, q->count, SL_DRAM_MAX_QUEUE) && seen == q->used);
}

static SL_WALKED_SCHEMA(queue_schema, struct sl_dram_queue, walk_queue, SL_MOST(SL_DRAM_MAX_QUEUE, count), SL_ANY(used),
                        SL_BELOW(SL_DRAM_MAX_QUEUE, order), SL_WALKED(request));

static SL_CHECKED_SCHEMA(read_schema, struct sl_dram_read, is_undone(t, true, self->tag), SL_ANY(tag, ready));
static SL_SCHEMA(issue_schema, struct sl_dram_issue, NULL, SL_ANY(tick, command, bank, row));

static SL_SCHEMA(channel_schema, struct sl_dram_channel, NULL,
                 SL_ANY(next, next_command, row, draining, refresh_due, refreshes_owed, busy, busy_since),
                 SL_SET_OF(ALL_BANKS, open), SL_ANY(ready, history), SL_SET_LIMIT(WRITES, -1),
                 SL_STRUCTS(queue_schema, activated), SL_SET_LIMIT(WRITES, 0), SL_STRUCTS(queue_schema, reads),
                 SL_SET_LIMIT(WRITES, 1), SL_STRUCTS(queue_schema, writes), SL_ANY(first, under_way),
                 SL_RING_OF(read_schema, read, first, under_way), SL_STRUCTS(issue_schema, latest));

static SL_SCHEMA(statistics_schema, struct sl_dram_statistics, NULL,
                 SL_ANY(reads, writes, forwarded, row_hits, row_misses, row_conflicts, refreshes, busy));

static SL_SCHEMA(controller_schema, struct sl_dram_controller, NULL, SL_DERIVED(plan), SL_ANY(next),
                 SL_SET_OF(CHANNELS, working), SL_ANY(first_done, done_count),
                 SL_RING_OF(read_schema, done, first_done, done_count), SL_STRUCTS(statistics_schema, statistics),
                 SL_STRUCTS(channel_schema, channel));

static SL_SCHEMA(port_schema, struct sl_memory_port_state, NULL, SL_ANY(reads, answered, latest_answer),
                 SL_STRUCTS(controller_schema, dram));

static SL_CHECKED_SCHEMA(put_schema, struct sl_memory_entry, is_undone(t, !self->write, self->tag),
                         SL_ANY(address, tag, cycle, write));
static SL_CHECKED_SCHEMA(answer_schema, struct sl_memory_entry, sl_archive_read(t, true, self->tag, 0),
                         SL_ANY(address, tag, cycle, write));

/* The number of entries, then the entries, oldest first. */
static void walk_ring(struct sl_memory_ring *ring, const char *name, const struct sl_schema *(*schema)(void),
                      struct sl_archive *archive)
{
  const uint32_t count = sl_archive_number(archive, ring->count, UINT32_MAX);
  if (sl_archive_reads(archive)) {
    ring->count = ring->first = 0;
    if (!sl_archive_expect(archive, count <= (archive->size - archive->at) / (3 * sizeof(uint64_t))) ||
        !sl_archive_memory(archive, sl_memory_ring_reserve(ring, count)))
      return;
    ring->count = count;
  }
  sl_archive_ring(archive, name, schema, ring->entry, ring->room, ring->first, count);
}

void sl_memory_port_walk(struct sl_memory_port *m, struct sl_archive *archive)
{
  int64_t *limit = archive->limits.value;
  limit[BANKS] = m->s.dram.plan.banks;
  limit[ALL_BANKS] = (int64_t)sl_low_bits(m->s.dram.plan.banks);
  limit[CHANNELS] = (int64_t)sl_low_bits(m->s.dram.plan.channels);
  limit[PORT] = (int64_t)(uintptr_t)m;
  limit[IN_ORDER] = m->in_order;
  limit[UNDONE] = 0;
  sl_archive_structs(archive, "memory", port_schema, &m->s, 1);
  for (unsigned p = 0; p < m->ports; p++)
    walk_ring(&m->queue[p], "queue", put_schema, archive);
  walk_ring(&m->answers, "answers", answer_schema, archive);
  for (unsigned i = 0; i < m->answers.count && m->in_order; i++)
    sl_archive_take(archive, 0, (uintptr_t)m, m->s.answered + i, at(&m->answers, i)->cycle == UINT64_MAX);
  if (sl_archive_validates(archive))
    sl_archive_expect(archive, limit[UNDONE] == m->s.reads);
  /* Reserves room for future answers, as sl_memory_port_put does. */
  if (sl_archive_reads(archive) && !archive->bad)
    sl_archive_memory(archive, sl_memory_ring_reserve(&m->answers, m->answers.count + (m->in_order ? 0 : m->s.reads)));
}

/* ---- the controllers --------------------------------------------------------------------------------------------- */

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
  return refreshed && activated_valid(ch) && ch->reads.count <= plan->read_queue &&
         ch->writes.count <= plan->write_queue &&
         ch->reads.count + ch->activated.count + ch->under_way <= SL_DRAM_MAX_READS;
}

bool sl_memory_port_expect(const struct sl_memory_port *m, uint64_t cycle, struct sl_archive *archive)
{
  const struct sl_dram_controller *d = &m->s.dram;
  const uint64_t passed = cycle > 0 ? sl_dram_tick(&d->plan, cycle - 1) : 0;
  bool valid = d->working == 0 || d->next > passed;
  for (unsigned c = 0; c < d->plan.channels; c++)
    valid &= channel_valid(&d->channel[c], &d->plan, passed) &&
             (!(d->working >> c & 1) || (d->channel[c].next > passed && d->channel[c].next >= d->next));
  return sl_archive_expect(archive, valid);
}
