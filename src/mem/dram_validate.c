#include "mem/dram_validate.h"

#include "base/validate.h"

static const struct sl_memory_entry *at(const struct sl_memory_ring *ring, unsigned i)
{
  return &ring->entry[(ring->first + i) & (ring->room - 1)];
}

/* ---- the controllers -------------------------------------------------------------------------------------------- */

static bool queue_valid(const struct sl_dram_queue *q, const struct sl_dram_plan *plan)
{
  uint64_t seen = 0;
  if (q->count > SL_DRAM_MAX_QUEUE)
    return false;
  for (unsigned i = 0; i < q->count; i++) {
    if (q->order[i] >= SL_DRAM_MAX_QUEUE)
      return false;
    const struct sl_dram_request *request = &q->request[q->order[i]];
    if (request->bank >= plan->banks || !SL_BOOLS_VALID(&request->write, &request->counted))
      return false;
    seen |= sl_bit(q->order[i]);
  }
  return seen == q->used && sl_count(seen) == q->count;
}

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
  return refreshed && SL_BOOLS_VALID(&ch->draining, &ch->busy) && (ch->open & ~sl_low_bits(plan->banks)) == 0 &&
         queue_valid(&ch->reads, plan) && queue_valid(&ch->writes, plan) && queue_valid(&ch->activated, plan) &&
         direction_valid(&ch->reads, false) && direction_valid(&ch->writes, true) && activated_valid(ch) &&
         ch->first < SL_DRAM_MAX_READS && ch->reads.count <= plan->read_queue &&
         ch->writes.count <= plan->write_queue && ch->under_way <= SL_DRAM_MAX_READS &&
         ch->reads.count + ch->activated.count + ch->under_way <= SL_DRAM_MAX_READS;
}

static bool controller_valid(const struct sl_dram_controller *d, uint64_t passed)
{
  const struct sl_dram_plan *plan = &d->plan;
  if (d->first_done >= SL_DRAM_MAX_DONE || d->done_count > SL_DRAM_MAX_DONE ||
      (d->working & ~sl_low_bits(plan->channels)) != 0 || (d->working != 0 && d->next <= passed))
    return false;
  for (unsigned c = 0; c < plan->channels; c++)
    if (!channel_valid(&d->channel[c], plan, passed) ||
        ((d->working >> c & 1) && (d->channel[c].next <= passed || d->channel[c].next < d->next)))
      return false;
  return true;
}

/* ---- reads: each number or tag occurs in one place ------------------------------------------------------------- */

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

static bool entries_valid(const struct sl_memory_ring *ring)
{
  for (unsigned i = 0; i < ring->count; i++)
    if (!sl_bool_valid(&at(ring, i)->write))
      return false;
  return true;
}

bool sl_memory_port_valid(const struct sl_memory_port *m, uint64_t cycle)
{
  const uint64_t passed = cycle > 0 ? sl_dram_tick(&m->s.dram.plan, cycle - 1) : 0;
  for (unsigned p = 0; p < m->ports; p++)
    if (!entries_valid(&m->queue[p]))
      return false;
  return controller_valid(&m->s.dram, passed) && entries_valid(&m->answers) && reads_valid(m);
}

bool sl_memory_port_each_read(const struct sl_memory_port *m, bool (*see)(void *context, uint64_t tag), void *context)
{
  struct search s = {.m = m, .see = see, .context = context};
  for (unsigned i = 0; i < m->answers.count; i++)
    if (!see(context, at(&m->answers, i)->tag))
      return false;
  return m->in_order || search_undone(&s);
}
