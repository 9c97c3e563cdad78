#include "machine/sm7/memory/sm7_memory_state.h"

#include <string.h>

#include "machine/sm7/memory/sm7_slice.h"

/* ---- packets ----------------------------------------------------------------------------------------------------- */

SL_SCHEMA(sl_sm7_trip_schema, struct sl_sm7_trip, NULL, SL_ANY(sent, taken, missed, answered, arrived));

SL_SCHEMA(sl_sm7_packet_schema, struct sl_sm7_packet, NULL, SL_ANY(address, bytes, load, line, lanes),
          SL_MOST(SL_CYCLES_MAX - 1, ready), SL_BELOW_LIMIT(SL_SM7_LIMIT_SMS, sm), SL_STRUCTS(sl_sm7_trip_schema, trip),
          SL_BELOW_LIMIT(SL_SM7_LIMIT_SLICES, slice), SL_MOST(SL_SM7_WRITE_BACK, kind),
          SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_MOST(SL_SM7_TO_TEXTURES, client),
          SL_MOST(SL_SM7_LINE_SECTORS, sectors), SL_BELOW(SL_SM7_LINE_SECTORS, beside));

static void packet_walk(struct sl_archive *t, const char *name, struct sl_sm7_packet *p)
{
  sl_archive_structs(t, name, sl_sm7_packet_schema, p, 1);
}

static void ring_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_ring *r = object;
  const uint32_t count = sl_archive_number(t, r->count, r->size);
  for (uint32_t i = 0; i < count && !t->bad; i++) {
    struct sl_sm7_packet p = {0};
    if (!sl_archive_reads(t))
      p = r->item[(r->head + i) & r->mask];
    packet_walk(t, "item", &p);
    if (sl_archive_reads(t))
      sl_sm7_ring_push(r, &p);
  }
}

SL_WALKED_SCHEMA(sl_sm7_ring_schema, struct sl_sm7_ring, ring_walk, SL_WALKED(item, size, mask, head, count));

/* ---- L1 and L2 --------------------------------------------------------------------------------------------------- */

static void mshr_walk(struct sl_archive *t, struct sl_sm7_cache *c, int32_t i, bool ready)
{
  const bool reads = sl_archive_reads(t);
  uint64_t sector = reads ? 0 : c->mshr[i].sector;
  uint32_t slot = reads ? 0 : c->mshr[i].first;
  sl_archive_bool(t, &ready);
  SL_ARCHIVE(t, sector);
  struct sl_sm7_trip trip = {0};
  if (!reads && ready)
    trip = c->mshr[i].trip;
  SL_ARCHIVE(t, trip);
  const uint32_t count = sl_archive_number(t, reads ? 0 : c->mshr[i].count, c->spec.merges);
  sl_archive_expect(t, count > 0 && sl_sm7_cache_find(c, sector) < 0);
  for (uint32_t n = 0; n < count && !t->bad; n++) {
    struct sl_sm7_packet p = {0};
    if (!reads) {
      p = c->waiting[slot].packet;
      slot = c->waiting[slot].next;
    }
    packet_walk(t, "waiting", &p);
    if (sl_archive_expect(t, p.address / SL_SM7_SECTOR == sector) && reads)
      sl_sm7_cache_wait(c, &p);
  }
  if (reads && ready && !t->bad) {
    const int32_t found = sl_sm7_cache_find(c, sector);
    c->ready[c->ready_count++] = found;
    c->mshr[found].trip = trip;
  }
}

static bool is_ready(const struct sl_sm7_cache *c, int32_t mshr)
{
  for (uint32_t i = 0; i < c->ready_count; i++)
    if (c->ready[(c->ready_head + i) % c->spec.mshrs] == mshr)
      return true;
  return false;
}

/* Ready MSHRs come first, in their order. */
static void mshrs_walk(struct sl_archive *t, struct sl_sm7_cache *c)
{
  const uint32_t used = sl_archive_number(t, c->mshrs_used, c->spec.mshrs);
  if (sl_archive_reads(t)) {
    for (uint32_t i = 0; i < used && !t->bad; i++)
      mshr_walk(t, c, 0, false);
    return;
  }
  for (uint32_t i = 0; i < c->ready_count; i++)
    mshr_walk(t, c, c->ready[(c->ready_head + i) % c->spec.mshrs], true);
  for (uint32_t bucket = 0; bucket < c->buckets; bucket++)
    for (int32_t i = c->bucket[bucket]; i >= 0; i = c->mshr[i].next)
      if (!is_ready(c, i))
        mshr_walk(t, c, i, false);
}

enum { SECTORS = (1 << SL_SM7_LINE_SECTORS) - 1 };

static SL_SCHEMA(line_schema, struct sl_sm7_line, NULL, SL_ANY(used, unwritten),
                 SL_MOST(SECTORS, reserved, clean, dirty, readable, dirty_on_fill, read_on_fill, prefetched));
static SL_SCHEMA(written_schema, struct sl_sm7_written, NULL, SL_ANY(sector));
static SL_SCHEMA(ways_schema, struct sl_sm7_ways, NULL, SL_UP_TO_LIMIT(SL_SM7_LIMIT_HERE, valid_from, invalid_till));

static void cache_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_cache *c = object;
  const size_t lines = (size_t)c->spec.sets * (size_t)t->limits.value[SL_SM7_LIMIT_WAYS];
  t->limits.value[SL_SM7_LIMIT_HERE] = c->spec.ways;
  SL_ARCHIVE_ARRAY(t, c->tag, lines);
  sl_archive_structs(t, "line", line_schema, c->line, lines);
  sl_archive_structs(t, "written", written_schema, c->written, lines);
  sl_archive_structs(t, "ways", ways_schema, c->ways, c->spec.sets);
  if (sl_archive_expect(t, c->random != 0))
    mshrs_walk(t, c);
}

static SL_SCHEMA(spec_schema, struct sl_sm7_cache_spec, NULL,
                 SL_KEYS(sets, mshrs, merges, queue, dirty_percent, write_back, replacement),
                 SL_RANGE(1, SL_SM7_LIMIT_WAYS, 0, ways));

SL_WALKED_SCHEMA(sl_sm7_cache_schema, struct sl_sm7_cache, cache_walk, SL_STRUCTS(spec_schema, spec),
                 SL_WALKED(tag, line, written, ways), SL_WALKED(mshr, bucket, free_mshr, buckets, mshrs_used, waiting),
                 SL_WALKED(free_waiting, fresh_waiting, ready, ready_head, ready_count),
                 SL_STRUCTS(sl_sm7_ring_schema, misses),
                 SL_ANY(dirty_lines, port_busy, in_use, random, accesses, missed, prefetches, prefetch_hits));

/* ---- line caches ------------------------------------------------------------------------------------------------- */

static bool is_other(const struct sl_sm7_line_cache *c, uint32_t number)
{
  for (uint32_t i = 0; i < number; i++)
    if (c->wait[i].line == c->wait[number].line)
      return false;
  return true;
}

/* The waiting requests of each MSHR are in use. */
static void wait_walk(struct sl_archive *t, struct sl_sm7_line_cache *c, uint32_t number)
{
  struct sl_sm7_line_wait *w = &c->wait[number];
  const uint32_t merges = c->spec.merges, sectors = c->spec.line / SL_SM7_SECTOR;
  SL_ARCHIVE(t, w->line);
  if (w->line == SL_SM7_NO_LINE)
    return;
  w->count = sl_archive_number(t, w->count, merges);
  w->first = sl_archive_number(t, w->first, merges - 1);
  w->sectors = sl_archive_number(t, w->sectors, sectors);
  packet_walk(t, "wait", &w->p);
  sl_archive_expect(t, w->count > 0 && is_other(c, number) && w->p.address == w->line * c->spec.line &&
                           w->p.kind == SL_SM7_READ_SECTOR && w->p.sectors == sectors);
  for (uint32_t i = 0; i < w->count; i++)
    SL_ARCHIVE(t, c->who[number * merges + (w->first + i) % merges]);
}

/* A ring of MSHRs, each of which must have the given number of outstanding sectors. */
static void waits_walk(struct sl_archive *t, const struct sl_sm7_line_cache *c, uint32_t *ring, uint32_t *head,
                       uint32_t *count, uint32_t sectors, uint64_t *seen)
{
  const uint32_t first = *head;
  *count = sl_archive_number(t, *count, c->spec.mshrs);
  for (uint32_t i = 0; i < *count; i++) {
    uint32_t *place = &ring[(first + i) % c->spec.mshrs];
    *place = sl_archive_number(t, *place, c->spec.mshrs - 1);
    const struct sl_sm7_line_wait *w = &c->wait[*place];
    sl_archive_expect(t, w->line != SL_SM7_NO_LINE && w->sectors == sectors && !(*seen >> *place & 1));
    *seen |= UINT64_C(1) << *place;
  }
}

static void line_cache_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_line_cache *c = object;
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  uint64_t unsent = 0, answering = 0; /* at most 64 MSHRs */
  SL_ARCHIVE_ARRAY(t, c->tag, lines);
  SL_ARCHIVE_ARRAY(t, c->used, lines);
  for (uint32_t i = 0; i < c->spec.mshrs; i++)
    wait_walk(t, c, i);
  waits_walk(t, c, c->unsent, &c->unsent_head, &c->unsent_count, c->spec.line / SL_SM7_SECTOR, &unsent);
  waits_walk(t, c, c->answering, &c->answering_head, &c->answering_count, 0, &answering);
  for (uint32_t i = 0; i < c->spec.mshrs; i++)
    sl_archive_expect(t, c->wait[i].line == SL_SM7_NO_LINE || c->wait[i].sectors != 0 || (answering >> i & 1));
}

SL_WALKED_SCHEMA(sl_sm7_line_cache_schema, struct sl_sm7_line_cache, line_cache_walk,
                 SL_WALKED(spec, tag, used, wait, who, unsent, answering, unsent_head, unsent_count, answering_head),
                 SL_WALKED(answering_count), SL_ANY(accesses, missed));

/* ---- texture cache ----------------------------------------------------------------------------------------------- */

static SL_SCHEMA(fragment_schema, struct sl_sm7_fragment, NULL, SL_ANY(who, missed));
static SL_SCHEMA(texture_line_schema, struct sl_sm7_texture_line, NULL, SL_STRUCTS(sl_sm7_packet_schema, request),
                 SL_MOST(SL_SM7_LINE_SECTORS, sectors));
static SL_SCHEMA(turn_schema, struct sl_sm7_turn, NULL, SL_ANY(head, count));

static bool turn_valid(const struct sl_sm7_turn *turn, uint32_t room)
{
  return turn->head < room && turn->count <= room;
}

static void texture_cache_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_texture_cache *c = object;
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  uint32_t missed = 0;
  SL_ARCHIVE_ARRAY(t, c->tag, lines);
  SL_ARCHIVE_ARRAY(t, c->used, lines);
  if (!sl_archive_expect(t, turn_valid(&c->fragments, c->spec.fragments) && turn_valid(&c->lines, c->spec.lines) &&
                                turn_valid(&c->results, c->spec.results) && c->unsent <= c->lines.count))
    return;
  for (uint32_t i = 0; i < c->fragments.count; i++) {
    struct sl_sm7_fragment *f = &c->fragment[(c->fragments.head + i) % c->spec.fragments];
    sl_archive_structs(t, "fragment", fragment_schema, f, 1);
    missed += !t->bad && f->missed;
  }
  for (uint32_t i = 0; i < c->lines.count; i++) {
    struct sl_sm7_texture_line *l = &c->line[(c->lines.head + i) % c->spec.lines];
    sl_archive_structs(t, "line", texture_line_schema, l, 1);
    sl_archive_expect(t, l->request.client == SL_SM7_TO_TEXTURES && l->request.kind == SL_SM7_READ_SECTOR &&
                             l->request.sectors == SL_SM7_LINE_SECTORS);
  }
  for (uint32_t i = 0; i < c->results.count; i++)
    SL_ARCHIVE(t, c->result[(c->results.head + i) % c->spec.results]);
  sl_archive_expect(t, missed == c->lines.count);
}

SL_WALKED_SCHEMA(sl_sm7_texture_cache_schema, struct sl_sm7_texture_cache, texture_cache_walk,
                 SL_WALKED(spec, tag, used, fragment, line, result), SL_STRUCTS(turn_schema, fragments, lines, results),
                 SL_ANY(unsent, accesses, missed));

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

static SL_SCHEMA(request_schema, struct sl_sm7_dram_request, NULL, SL_STRUCTS(sl_sm7_packet_schema, packet),
                 SL_ANY(sent, arrived), SL_DERIVED(next, row, bank, bursts, write));
static SL_SCHEMA(queue_schema, struct sl_sm7_bank_queue, NULL, SL_WALKED(first, last, row));
static SL_SCHEMA(bank_schema, struct sl_sm7_bank, NULL, SL_STRUCTS(queue_schema, queue), SL_WALKED(current),
                 SL_ANY(row, active, activate_at, read_at, write_at, precharge_at));

/* Saves a request, or restores it to a free place; the number of the place, or none if there is no room. */
static int32_t request_walk(struct sl_archive *t, struct sl_sm7_dram *d, int32_t number)
{
  struct sl_sm7_dram_request r = {.next = SL_SM7_NO_REQUEST};
  if (!sl_archive_reads(t))
    r = d->request[number];
  sl_archive_structs(t, "request", request_schema, &r, 1);
  if (!sl_archive_reads(t))
    return number;
  const struct sl_sm7_place place = sl_sm7_place(d->spec, r.packet.address);
  r.write = r.packet.kind == SL_SM7_WRITE_BACK;
  r.bursts = r.write ? r.packet.sectors : 1;
  r.row = place.row;
  r.bank = place.bank;
  if (!sl_archive_expect(t, r.bursts > 0 && r.arrived <= r.sent && r.sent <= r.bursts && d->free != SL_SM7_NO_REQUEST))
    return SL_SM7_NO_REQUEST;
  number = d->free;
  d->free = d->request[number].next;
  d->request[number] = r;
  return number;
}

static void queue_walk(struct sl_archive *t, struct sl_sm7_dram *d, unsigned bank, bool write, uint32_t most)
{
  struct sl_sm7_bank_queue *q = &d->bank[bank].queue[write];
  const bool reads = sl_archive_reads(t);
  uint32_t count = 0;
  for (int32_t i = reads ? SL_SM7_NO_REQUEST : q->first; i != SL_SM7_NO_REQUEST; i = d->request[i].next)
    count++;
  count = sl_archive_number(t, count, most);
  SL_ARCHIVE(t, q->row);
  bool served = q->row == -1;
  int32_t at = reads ? SL_SM7_NO_REQUEST : q->first;
  for (uint32_t n = 0; n < count && !t->bad; n++) {
    const int32_t i = request_walk(t, d, at);
    if (!reads) {
      at = d->request[i].next;
      continue;
    }
    if (t->bad)
      return;
    sl_archive_expect(t, d->request[i].sent == 0 && d->request[i].write == write && d->request[i].bank == bank);
    served |= d->request[i].row == q->row;
    if (q->first == SL_SM7_NO_REQUEST)
      q->first = i;
    else
      d->request[q->last].next = i;
    q->last = i;
    d->pending[write]++;
  }
  sl_archive_expect(t, served && d->pending[write] <= most);
}

/* Numbers of served requests, for the bank or the place on the bus that has them. */
static int32_t served_walk(struct sl_archive *t, struct served *s, int32_t request, uint32_t *number)
{
  const bool reads = sl_archive_reads(t);
  uint32_t code = reads || request == SL_SM7_NO_REQUEST ? 0 : number_of(s, request) + 1;
  code = sl_archive_number(t, code, s->count);
  *number = code;
  return code == 0 ? SL_SM7_NO_REQUEST : s->request[code - 1];
}

static void bank_walk(struct sl_archive *t, struct sl_sm7_dram *d, struct served *s, unsigned number)
{
  struct sl_sm7_bank *b = &d->bank[number];
  uint32_t which;
  b->current = served_walk(t, s, b->current, &which);
  sl_archive_structs(t, "bank", bank_schema, b, 1);
  if (!sl_archive_reads(t) || which == 0)
    return;
  const struct sl_sm7_dram_request *r = &d->request[b->current];
  sl_archive_expect(t, !s->current[which - 1] && r->bank == number && r->sent < r->bursts);
  s->current[which - 1] = true;
}

static void bus_walk(struct sl_archive *t, struct sl_sm7_dram *d, struct served *s)
{
  d->pipe_least = sl_archive_number(t, d->pipe_least, d->spec->cl);
  sl_archive_expect(t, d->pipe_least == d->spec->cl || d->pipe_least == d->spec->wl);
  if (sl_archive_reads(t))
    d->pipe_head = 0;
  d->pipe_length = sl_archive_number(t, d->pipe_length, d->spec->cl + 1);
  for (uint32_t i = 0; i < d->pipe_length; i++) {
    int32_t *place = &d->pipe[(d->pipe_head + i) % SL_SM7_DATA_PIPE];
    uint32_t which;
    *place = served_walk(t, s, *place, &which);
    if (which > 0)
      s->bursts[which - 1]++;
  }
}

static void requests_walk(struct sl_archive *t, struct sl_sm7_dram *d)
{
  struct served s = {.count = 0};
  const bool reads = sl_archive_reads(t);
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS; b++) {
    queue_walk(t, d, b, false, d->spec->dram_reads);
    queue_walk(t, d, b, true, d->spec->dram_writes);
  }
  if (!reads)
    find_served(d, &s);
  const uint32_t count = sl_archive_number(t, s.count, SERVED);
  for (uint32_t i = 0; i < count && !t->bad; i++)
    s.request[i] = request_walk(t, d, s.request[i]);
  s.count = count;
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS && !t->bad; b++)
    bank_walk(t, d, &s, b);
  bus_walk(t, d, &s);
  for (uint32_t i = 0; i < count && reads && !t->bad; i++) {
    const struct sl_sm7_dram_request *r = &d->request[s.request[i]];
    sl_archive_expect(t, s.bursts[i] == (unsigned)r->sent - r->arrived && (s.current[i] || r->sent == r->bursts) &&
                             r->arrived < r->bursts);
  }
  if (reads)
    d->in_service = count;
}

/* Each packet has a credit of its slice. */
static bool credits_valid(const struct sl_sm7_dram *d)
{
  const unsigned requests = d->pending[0] + d->pending[1] + d->in_service;
  return d->own[0] <= 1 && d->own[1] <= 1 &&
         d->own[0] + d->own[1] + d->shared == d->delay.count + d->arrivals.count + d->replies.count + requests;
}

static void dram_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_dram *d = object;
  requests_walk(t, d);
  sl_archive_expect(t, d->shared <= d->delay.size && credits_valid(d) &&
                           d->pending[0] + d->pending[1] + d->arrivals.count <=
                               d->spec->dram_reads + d->spec->dram_writes + d->arrivals.size);
}

SL_WALKED_SCHEMA(sl_sm7_dram_schema, struct sl_sm7_dram, dram_walk, SL_WALKED(spec, request, free, bank, pending),
                 SL_ANY(group_column_at, group_precharge_at, column_at, read_at, write_at, activate_at, tick),
                 SL_BELOW(SL_SM7_DRAM_BANKS, first_bank), SL_ANY(draining, writing),
                 SL_WALKED(pipe, pipe_head, pipe_length, pipe_least, in_service),
                 SL_STRUCTS(sl_sm7_ring_schema, delay, arrivals, replies), SL_BELOW(SL_SM7_CHANNEL_SLICES, last_slice),
                 SL_ANY(own, shared, reads, writes, activations));

/* ---- slices and crossbars ---------------------------------------------------------------------------------------- */

SL_SCHEMA(sl_sm7_slice_schema, struct sl_sm7_slice, NULL, SL_DERIVED(spec), SL_STRUCTS(sl_sm7_cache_schema, cache),
          SL_STRUCTS(sl_sm7_ring_schema, delay, input, output, to_dram, from_dram), SL_ANY(copied));

SL_SCHEMA(sl_sm7_crossbar_schema, struct sl_sm7_crossbar, NULL, SL_STRUCTS(sl_sm7_ring_schema, in, out),
          SL_BELOW_LIMIT(SL_SM7_LIMIT_HERE, next), SL_ANY(filled),
          SL_DERIVED(front, asking, asked, fresh, inputs, outputs, writers));

void sl_sm7_crossbar_walk(struct sl_archive *t, struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context)
{
  uint64_t full = 0;
  t->limits.value[SL_SM7_LIMIT_HERE] = x->inputs;
  sl_archive_structs(t, "crossbar", sl_sm7_crossbar_schema, x, 1);
  for (unsigned i = 0; i < x->inputs && sl_archive_reads(t) && !t->bad; i++)
    if (x->in[i].count > 0) {
      x->front[i] = (uint8_t)route(context, sl_sm7_ring_front(&x->in[i]));
      x->fresh[0].inputs |= sl_bit(i);
    }
  for (unsigned i = 0; i < x->outputs; i++)
    full |= (uint64_t)(x->out[i].count > 0) << i;
  sl_archive_expect(t, (x->filled & ~sl_low_bits(x->outputs)) == 0 && (full & ~x->filled) == 0);
}
