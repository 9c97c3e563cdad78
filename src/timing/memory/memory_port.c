#include "timing/memory/memory_port.h"

#include <stdlib.h>
#include <string.h>

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

/* The first cycle from `cycle` on in which the oldest answer can be taken, as far as known. */
static uint64_t answer_cycle(const struct sl_memory_port *m, uint64_t cycle)
{
  if (m->answers.count == 0 || at(&m->answers, 0)->cycle == UINT64_MAX)
    return UINT64_MAX;
  const uint64_t ready = at(&m->answers, 0)->cycle;
  const uint64_t first = ready > cycle ? ready : cycle;
  return m->in_order && first == m->s.latest_answer ? first + 1 : first;
}

bool sl_memory_port_answer(struct sl_memory_port *m, uint64_t cycle, uint64_t *tag)
{
  if (answer_cycle(m, cycle) != cycle)
    return false;
  *tag = shift(&m->answers).tag;
  m->s.answered++;
  m->s.latest_answer = cycle;
  return true;
}

uint64_t sl_memory_port_next(const struct sl_memory_port *m, uint64_t cycle)
{
  uint64_t next = sl_dram_controller_next(&m->s.dram, cycle);
  const uint64_t answer = answer_cycle(m, cycle);
  next = answer < next ? answer : next;
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
