#include "machine/sm7/memory/sm7_dram_archive.h"

#include <string.h>

#include "machine/sm7/memory/sm7_address.h"
#include "machine/sm7/memory/sm7_cache_archive.h"

/* ---- DRAM -------------------------------------------------------------------------------------------------------- */

/* Requests that banks serve or whose bursts are on the bus: at most one of each bank, and one of each burst. */
enum { SERVED = SL_SM7_DRAM_BANKS + SL_SM7_DATA_PIPE };

struct served {
  int32_t request[SERVED];
  unsigned bursts[SERVED]; /* on the bus */
  bool current[SERVED];    /* of a bank */
  uint32_t count;
};

static uint32_t number_of(struct served *s, int32_t request)
{
  uint32_t i = 0;
  while (i < s->count && s->request[i] != request)
    i++;
  if (i == s->count)
    s->request[s->count++] = request;
  return i;
}

static void find_served(const struct sl_sm7_dram *d, struct served *s)
{
  for (unsigned i = 0; i < SL_SM7_DRAM_BANKS; i++)
    if (d->bank[i].current != SL_SM7_NO_REQUEST)
      number_of(s, d->bank[i].current);
  for (uint32_t i = 0; i < d->pipe_length; i++)
    if (d->pipe[(d->pipe_head + i) % SL_SM7_DATA_PIPE] != SL_SM7_NO_REQUEST)
      number_of(s, d->pipe[(d->pipe_head + i) % SL_SM7_DATA_PIPE]);
}

/* Saves a request, or restores it to a free place; the number of the place, or none if there is no room. */
static int32_t request_archive(struct sl_sm7_archive *t, struct sl_sm7_dram *d, int32_t number)
{
  struct sl_sm7_dram_request r = {.next = SL_SM7_NO_REQUEST};
  if (!sl_archive_reads(&t->bytes))
    r = d->request[number];
  sl_sm7_packet_archive(t, &r.packet);
  SL_ARCHIVE(&t->bytes, r.sent);
  SL_ARCHIVE(&t->bytes, r.arrived);
  if (!sl_archive_reads(&t->bytes))
    return number;
  const struct sl_sm7_place place = sl_sm7_place(d->spec, r.packet.address);
  r.write = r.packet.kind == SL_SM7_WRITE_BACK;
  r.bursts = r.write ? r.packet.sectors : 1;
  r.row = place.row;
  r.bank = place.bank;
  if (!sl_archive_expect(&t->bytes,
                         r.bursts > 0 && r.arrived <= r.sent && r.sent <= r.bursts && d->free != SL_SM7_NO_REQUEST))
    return SL_SM7_NO_REQUEST;
  number = d->free;
  d->free = d->request[number].next;
  d->request[number] = r;
  return number;
}

static void queue_archive(struct sl_sm7_archive *t, struct sl_sm7_dram *d, unsigned bank, bool write, uint32_t most)
{
  struct sl_sm7_bank_queue *q = &d->bank[bank].queue[write];
  const bool reads = sl_archive_reads(&t->bytes);
  uint32_t count = 0;
  for (int32_t i = reads ? SL_SM7_NO_REQUEST : q->first; i != SL_SM7_NO_REQUEST; i = d->request[i].next)
    count++;
  count = sl_archive_number(&t->bytes, count, most);
  SL_ARCHIVE(&t->bytes, q->row);
  bool served = q->row == -1;
  int32_t at = reads ? SL_SM7_NO_REQUEST : q->first;
  for (uint32_t n = 0; n < count && !t->bytes.bad; n++) {
    const int32_t i = request_archive(t, d, at);
    if (!reads) {
      at = d->request[i].next;
      continue;
    }
    if (t->bytes.bad)
      return;
    sl_archive_expect(&t->bytes, d->request[i].sent == 0 && d->request[i].write == write && d->request[i].bank == bank);
    served |= d->request[i].row == q->row;
    if (q->first == SL_SM7_NO_REQUEST)
      q->first = i;
    else
      d->request[q->last].next = i;
    q->last = i;
    d->pending[write]++;
  }
  sl_archive_expect(&t->bytes, served && d->pending[write] <= most);
}

/* Numbers of served requests, for the bank or the place on the bus that has them. */
static int32_t served_archive(struct sl_sm7_archive *t, struct served *s, int32_t request, uint32_t *number)
{
  const bool reads = sl_archive_reads(&t->bytes);
  uint32_t code = reads || request == SL_SM7_NO_REQUEST ? 0 : number_of(s, request) + 1;
  code = sl_archive_number(&t->bytes, code, s->count);
  *number = code;
  return code == 0 ? SL_SM7_NO_REQUEST : s->request[code - 1];
}

static void bank_archive(struct sl_sm7_archive *t, struct sl_sm7_dram *d, struct served *s, unsigned number)
{
  struct sl_sm7_bank *b = &d->bank[number];
  uint32_t which;
  b->current = served_archive(t, s, b->current, &which);
  SL_ARCHIVE(&t->bytes, b->row);
  sl_archive_bool(&t->bytes, &b->active);
  SL_ARCHIVE(&t->bytes, b->activate_at);
  SL_ARCHIVE(&t->bytes, b->read_at);
  SL_ARCHIVE(&t->bytes, b->write_at);
  SL_ARCHIVE(&t->bytes, b->precharge_at);
  if (!sl_archive_reads(&t->bytes) || which == 0)
    return;
  const struct sl_sm7_dram_request *r = &d->request[b->current];
  sl_archive_expect(&t->bytes, !s->current[which - 1] && r->bank == number && r->sent < r->bursts);
  s->current[which - 1] = true;
}

static void bus_archive(struct sl_sm7_archive *t, struct sl_sm7_dram *d, struct served *s)
{
  d->pipe_least = sl_archive_number(&t->bytes, d->pipe_least, d->spec->cl);
  sl_archive_expect(&t->bytes, d->pipe_least == d->spec->cl || d->pipe_least == d->spec->wl);
  if (sl_archive_reads(&t->bytes))
    d->pipe_head = 0;
  d->pipe_length = sl_archive_number(&t->bytes, d->pipe_length, d->spec->cl + 1);
  for (uint32_t i = 0; i < d->pipe_length; i++) {
    int32_t *place = &d->pipe[(d->pipe_head + i) % SL_SM7_DATA_PIPE];
    uint32_t which;
    *place = served_archive(t, s, *place, &which);
    if (which > 0)
      s->bursts[which - 1]++;
  }
}

static void requests_archive(struct sl_sm7_archive *t, struct sl_sm7_dram *d)
{
  struct served s = {.count = 0};
  const bool reads = sl_archive_reads(&t->bytes);
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS; b++) {
    queue_archive(t, d, b, false, d->spec->dram_reads);
    queue_archive(t, d, b, true, d->spec->dram_writes);
  }
  if (!reads)
    find_served(d, &s);
  const uint32_t count = sl_archive_number(&t->bytes, s.count, SERVED);
  for (uint32_t i = 0; i < count && !t->bytes.bad; i++)
    s.request[i] = request_archive(t, d, s.request[i]);
  s.count = count;
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS && !t->bytes.bad; b++)
    bank_archive(t, d, &s, b);
  bus_archive(t, d, &s);
  for (uint32_t i = 0; i < count && reads && !t->bytes.bad; i++) {
    const struct sl_sm7_dram_request *r = &d->request[s.request[i]];
    sl_archive_expect(&t->bytes, s.bursts[i] == (unsigned)r->sent - r->arrived &&
                                     (s.current[i] || r->sent == r->bursts) && r->arrived < r->bursts);
  }
  if (reads)
    d->in_service = count;
}

static bool count_packet(void *context, const struct sl_sm7_packet *p)
{
  (void)p;
  ++*(unsigned *)context;
  return true;
}

/* Each has a credit of its slice. */
static bool credits_valid(const struct sl_sm7_dram *d)
{
  unsigned count = 0;
  sl_sm7_dram_each(d, count_packet, &count);
  return d->own[0] <= 1 && d->own[1] <= 1 && d->own[0] + d->own[1] + d->shared == count;
}

void sl_sm7_dram_archive(struct sl_sm7_archive *t, struct sl_sm7_dram *d)
{
  struct sl_archive *b = &t->bytes;
  requests_archive(t, d);
  SL_ARCHIVE(b, d->group_column_at);
  SL_ARCHIVE(b, d->group_precharge_at);
  SL_ARCHIVE(b, d->column_at);
  SL_ARCHIVE(b, d->read_at);
  SL_ARCHIVE(b, d->write_at);
  SL_ARCHIVE(b, d->activate_at);
  SL_ARCHIVE(b, d->tick);
  d->first_bank = sl_archive_number(b, d->first_bank, SL_SM7_DRAM_BANKS - 1);
  sl_archive_bool(b, &d->draining);
  sl_archive_bool(b, &d->writing);
  sl_sm7_ring_archive(t, &d->delay);
  sl_sm7_ring_archive(t, &d->arrivals);
  sl_sm7_ring_archive(t, &d->replies);
  d->last_slice = sl_archive_number(b, d->last_slice, SL_SM7_CHANNEL_SLICES - 1);
  SL_ARCHIVE(b, d->own);
  d->shared = sl_archive_number(b, d->shared, d->delay.size);
  sl_archive_expect(b, credits_valid(d) && d->pending[0] + d->pending[1] + d->arrivals.count <=
                                               d->spec->dram_reads + d->spec->dram_writes + d->arrivals.size);
  SL_ARCHIVE(b, d->reads);
  SL_ARCHIVE(b, d->writes);
  SL_ARCHIVE(b, d->activations);
}

static bool each_request(const struct sl_sm7_dram *d, bool (*see)(void *, const struct sl_sm7_packet *), void *context)
{
  struct served s = {.count = 0};
  bool good = true;
  for (unsigned b = 0; b < 2 * SL_SM7_DRAM_BANKS; b++)
    for (int32_t i = d->bank[b / 2].queue[b % 2].first; i != SL_SM7_NO_REQUEST && good; i = d->request[i].next)
      good = see(context, &d->request[i].packet);
  find_served(d, &s);
  for (uint32_t i = 0; i < s.count && good; i++)
    good = see(context, &d->request[s.request[i]].packet);
  return good;
}

bool sl_sm7_dram_each(const struct sl_sm7_dram *d, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                      void *context)
{
  return sl_sm7_ring_each(&d->delay, see, context) && sl_sm7_ring_each(&d->arrivals, see, context) &&
         each_request(d, see, context) && sl_sm7_ring_each(&d->replies, see, context);
}

/* ---- slices and crossbars ---------------------------------------------------------------------------------------- */

void sl_sm7_slice_archive(struct sl_sm7_archive *t, struct sl_sm7_slice *s)
{
  sl_sm7_cache_archive(t, &s->cache, t->spec->l2_ways);
  sl_archive_expect(&t->bytes, s->cache.spec.ways == t->spec->l2_ways);
  sl_sm7_ring_archive(t, &s->delay);
  sl_sm7_ring_archive(t, &s->input);
  sl_sm7_ring_archive(t, &s->output);
  sl_sm7_ring_archive(t, &s->to_dram);
  sl_sm7_ring_archive(t, &s->from_dram);
  SL_ARCHIVE(&t->bytes, s->copied);
}

static void offer(struct sl_sm7_crossbar *x, unsigned input, unsigned output)
{
  x->front[input] = (uint8_t)output;
  x->fresh[0].inputs |= UINT64_C(1) << input;
}

void sl_sm7_crossbar_archive(struct sl_sm7_archive *t, struct sl_sm7_crossbar *x, sl_sm7_route *route,
                             const void *context)
{
  uint64_t full = 0;
  for (unsigned i = 0; i < x->inputs; i++) {
    sl_sm7_ring_archive(t, &x->in[i]);
    if (sl_archive_reads(&t->bytes) && x->in[i].count > 0)
      offer(x, i, route(context, sl_sm7_ring_front(&x->in[i])));
  }
  for (unsigned i = 0; i < x->outputs; i++) {
    sl_sm7_ring_archive(t, &x->out[i]);
    full |= (uint64_t)(x->out[i].count > 0) << i;
    x->next[i] = (uint8_t)sl_archive_number(&t->bytes, x->next[i], x->inputs - 1);
  }
  SL_ARCHIVE(&t->bytes, x->filled);
  sl_archive_expect(&t->bytes, (x->filled & ~sl_low_bits(x->outputs)) == 0 && (full & ~x->filled) == 0);
}
