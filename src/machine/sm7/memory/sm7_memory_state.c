#include "machine/sm7/memory/sm7_memory_state.h"

#include <string.h>

#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_slice.h"

/* ---- packets ----------------------------------------------------------------------------------------------------- */

SL_SCHEMA(sl_sm7_trip_schema, struct sl_sm7_trip, NULL, SL_ANY(sent, taken, missed, answered, arrived));

static uint64_t owner_of(const struct sl_archive *t)
{
  return (uint64_t)t->limits.value[SL_LIMIT_OWNER];
}

/* The sectors that a request or its answer brings to its client, or the store whose end it tells to its warp. */
static void request_walk(struct sl_archive *t, const struct sl_sm7_packet *p)
{
  const struct sl_sm7_spec *s = t->whole;
  const bool reads = p->kind == SL_SM7_READ_SECTOR;
  const uint32_t line = p->client == SL_SM7_TO_FETCH ? s->instructions.line : s->constants.line;
  if (p->kind == SL_SM7_WRITE_SECTOR && p->client <= SL_SM7_TO_REGISTER)
    sl_archive_give(t, SL_SM7_STORES, p->sm, p->warp, 1);
  else if (p->client == SL_SM7_TO_REGISTER && (reads || p->kind == SL_SM7_ATOMIC_SECTOR))
    sl_archive_give(t, SL_SM7_SECTORS, p->sm, p->load, 1);
  else if (sl_archive_expect(t, reads &&
                                    (p->client == SL_SM7_TO_L1 ? p->line < t->limits.value[SL_SM7_LIMIT_L1_LINES]
                                                               : p->client != SL_SM7_TO_REGISTER && p->sectors > 0))) {
    if (p->client == SL_SM7_TO_L1)
      sl_archive_give(t, SL_SM7_L1_FILLS, p->sm, p->address / SL_SM7_SECTOR, 1);
    else if (p->client != SL_SM7_TO_TEXTURES)
      sl_archive_give(t, p->client, p->sm, p->address / line, p->sectors);
  }
}

/* Before L1, or waiting there, where prefetches wait, too; behind L2, a slice of the channel awaits the sector. */
static void packet_walk(struct sl_archive *t, void *object)
{
  const struct sl_sm7_packet *p = object;
  const struct sl_sm7_spec *s = t->whole;
  const enum sl_sm7_where place = (enum sl_sm7_where)t->limits.value[SL_SM7_LIMIT_PLACE];
  const bool reads = p->kind == SL_SM7_READ_SECTOR, writes = p->kind == SL_SM7_WRITE_SECTOR;
  if (!sl_archive_reads(t) || place == SL_SM7_IN_CACHE)
    return;
  if (place == SL_SM7_REQUEST)
    request_walk(t, p);
  else if (place == SL_SM7_BEHIND_L2) {
    const bool fills = p->kind != SL_SM7_WRITE_BACK;
    sl_archive_expect(t, p->slice / SL_SM7_CHANNEL_SLICES == owner_of(t) / SL_SM7_CHANNEL_SLICES &&
                             (fills ? !writes && p->line < s->l2_sets * s->l2_ways : p->sectors > 0));
    sl_archive_give(t, SL_SM7_L2_FILLS, p->slice, p->address / SL_SM7_SECTOR, fills);
  } else {
    const bool may_prefetch = place == SL_SM7_IN_L1 && reads && s->l1_prefetch != SL_SM7_NO_PREFETCH;
    sl_archive_expect(t, p->client == SL_SM7_TO_L1 && (reads || writes));
    sl_archive_give(t, reads ? SL_SM7_SECTORS : SL_SM7_STORES, p->sm, reads ? p->load : p->warp,
                    !may_prefetch || p->load != SL_SM7_NO_LOAD);
  }
}

SL_WALKED_SCHEMA(sl_sm7_packet_schema, struct sl_sm7_packet, packet_walk, SL_ANY(address, bytes, load, line, lanes),
                 SL_MOST(SL_CYCLES_MAX - 1, ready), SL_BELOW_LIMIT(SL_SM7_LIMIT_SMS, sm),
                 SL_STRUCTS(sl_sm7_trip_schema, trip), SL_BELOW_LIMIT(SL_SM7_LIMIT_SLICES, slice),
                 SL_MOST(SL_SM7_WRITE_BACK, kind), SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp),
                 SL_MOST(SL_SM7_TO_TEXTURES, client), SL_MOST(SL_SM7_LINE_SECTORS, sectors),
                 SL_BELOW(SL_SM7_LINE_SECTORS, beside));

static void ring_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_ring *r = object;
  SL_ARCHIVE_NUMBER(t, r->count, r->size);
  r->head = sl_archive_reads(t) ? 0 : r->head;
  sl_archive_ring(t, "item", sl_sm7_packet_schema, r->item, r->mask + (size_t)1, r->head, r->count);
}

SL_WALKED_SCHEMA(sl_sm7_ring_schema, struct sl_sm7_ring, ring_walk, SL_WALKED(item, size, mask, head, count));

/* ---- L1 and L2 --------------------------------------------------------------------------------------------------- */

/* The packets that wait for a sector: one that is to come, or a ready one. */
static void mshr_walk(struct sl_archive *t, struct sl_sm7_cache *c, struct sl_sm7_mshr m)
{
  uint32_t slot = m.first;
  SL_ARCHIVE(t, m.sector);
  SL_ARCHIVE(t, m.trip);
  m.count = sl_archive_number(t, m.count, c->spec.merges);
  sl_archive_expect(t, m.count > 0 && sl_sm7_cache_find(c, m.sector) < 0);
  sl_archive_take(t, c->spec.write_back ? SL_SM7_L2_FILLS : SL_SM7_L1_FILLS, owner_of(t), m.sector, 1);
  for (uint32_t n = 0; n < m.count && !t->bad; n++) {
    struct sl_sm7_packet p = {0};
    if (!sl_archive_reads(t)) {
      p = c->waiting[slot].packet;
      slot = c->waiting[slot].next;
    }
    sl_archive_structs(t, "waiting", sl_sm7_packet_schema, &p, 1);
    if (sl_archive_expect(t, p.address / SL_SM7_SECTOR == m.sector) && sl_archive_reads(t))
      sl_sm7_cache_wait(c, &p);
  }
  if (sl_archive_reads(t) && !t->bad)
    c->mshr[sl_sm7_cache_find(c, m.sector)].trip = m.trip;
}

static void mshrs_walk(struct sl_archive *t, struct sl_sm7_cache *c)
{
  const uint32_t used = sl_archive_number(t, c->mshrs_used, c->spec.mshrs);
  for (uint32_t i = 0; i < used && sl_archive_reads(t) && !t->bad; i++)
    mshr_walk(t, c, (struct sl_sm7_mshr){0});
  for (uint32_t bucket = 0; bucket < c->buckets && !sl_archive_reads(t); bucket++)
    for (int32_t i = c->bucket[bucket]; i >= 0; i = c->mshr[i].next)
      mshr_walk(t, c, c->mshr[i]);
  SL_ARCHIVE_NUMBER(t, c->ready_count, used);
  for (uint32_t i = 0; i < c->ready_count && !t->bad; i++) {
    int32_t *ready = &c->ready[(c->ready_head + i) % c->spec.mshrs];
    uint64_t sector = sl_archive_reads(t) ? 0 : c->mshr[*ready].sector;
    SL_ARCHIVE(t, sector);
    sl_archive_give(t, c->spec.write_back ? SL_SM7_L2_FILLS : SL_SM7_L1_FILLS, owner_of(t), sector, 1);
    *ready = sl_sm7_cache_find(c, sector);
    sl_archive_expect(t, *ready >= 0);
  }
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
  c->changes += sl_archive_reads(t);
  sl_archive_expect(t, c->hand < lines);
  SL_ARCHIVE_ARRAY(t, c->tag, lines);
  sl_archive_structs(t, "line", line_schema, c->line, lines);
  sl_archive_structs(t, "written", written_schema, c->written, lines);
  sl_archive_structs(t, "ways", ways_schema, c->ways, c->spec.sets);
  t->limits.value[SL_SM7_LIMIT_PLACE] = c->spec.write_back ? SL_SM7_REQUEST : SL_SM7_IN_L1;
  if (sl_archive_expect(t, c->random != 0))
    mshrs_walk(t, c);
}

static SL_SCHEMA(spec_schema, struct sl_sm7_cache_spec, NULL,
                 SL_KEYS(sets, mshrs, merges, queue, dirty_percent, write_back, replacement),
                 SL_RANGE(1, SL_SM7_LIMIT_WAYS, 0, ways));

SL_WALKED_SCHEMA(sl_sm7_cache_schema, struct sl_sm7_cache, cache_walk, SL_STRUCTS(spec_schema, spec),
                 SL_WALKED(tag, line, written, ways), SL_WALKED(mshr, bucket, free_mshr, buckets, mshrs_used, waiting),
                 SL_WALKED(free_waiting, fresh_waiting, ready, ready_head, ready_count),
                 SL_STRUCTS(sl_sm7_ring_schema, misses), SL_DERIVED(changes),
                 SL_ANY(dirty_lines, hand, port_busy, in_use, random, accesses, missed, writes, writes_missed,
                        prefetches, prefetch_hits));

/* ---- line caches ------------------------------------------------------------------------------------------------- */

enum { MERGES = SL_SM7_LIMIT_HERE, SECTORS_OF_LINE };

static SL_SCHEMA(wait_schema, struct sl_sm7_line_wait, NULL, SL_ANY(line), SL_UP_TO_LIMIT(MERGES, count),
                 SL_BELOW_LIMIT(MERGES, first), SL_UP_TO_LIMIT(SECTORS_OF_LINE, sectors),
                 SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_IN_CACHE), SL_STRUCTS(sl_sm7_packet_schema, p));

static SL_SCHEMA(line_cache_schema, struct sl_sm7_line_cache, NULL,
                 SL_WALKED(spec, tag, used, wait, who, unsent, answering),
                 SL_ANY(unsent_head, unsent_count, answering_head, answering_count, accesses, missed));

/* Each line is of one MSHR, which awaits the line's sectors; each warp or load that waits is one of the SM. */
static void take_line(struct sl_archive *t, const struct sl_sm7_line_cache *c, uint32_t number, unsigned sm,
                      enum sl_sm7_client client)
{
  const struct sl_sm7_line_wait *w = &c->wait[number];
  bool valid = w->count > 0 && w->p.address == w->line * c->spec.line && w->p.kind == SL_SM7_READ_SECTOR &&
               w->p.sectors == c->spec.line / SL_SM7_SECTOR && w->p.sm == sm && w->p.client == client;
  for (uint32_t i = 0; i < number; i++)
    valid &= c->wait[i].line != w->line;
  for (uint32_t n = 0; n < w->count && sl_archive_expect(t, valid); n++) {
    const uint32_t who = c->who[number * c->spec.merges + (w->first + n) % c->spec.merges];
    valid = client == SL_SM7_TO_CONSTANTS || who < t->limits.value[SL_LIMIT_WARPS];
    sl_archive_give(t, SL_SM7_SECTORS, sm, who, client == SL_SM7_TO_CONSTANTS);
  }
  sl_archive_expect(t, valid);
  sl_archive_take(t, client, sm, w->line, w->sectors);
}

/* Those that are unsent have all sectors outstanding, and those that answer have none. */
void sl_sm7_line_cache_walk(struct sl_archive *t, const char *name, struct sl_sm7_line_cache *c, unsigned sm,
                            enum sl_sm7_client client)
{
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  const uint32_t sectors = c->spec.line / SL_SM7_SECTOR, mshrs = c->spec.mshrs;
  const uint64_t owner = (uint64_t)sm << 1 | (client == SL_SM7_TO_FETCH);
  sl_archive_structs(t, name, line_cache_schema, c, 1);
  t->limits.value[MERGES] = c->spec.merges;
  t->limits.value[SECTORS_OF_LINE] = sectors;
  SL_ARCHIVE_ARRAY(t, c->tag, lines);
  SL_ARCHIVE_ARRAY(t, c->used, lines);
  sl_archive_structs(t, "wait", wait_schema, c->wait, mshrs);
  SL_ARCHIVE_ARRAY(t, c->who, (size_t)mshrs * c->spec.merges);
  SL_ARCHIVE_BELOW(t, mshrs, c->unsent, mshrs);
  SL_ARCHIVE_BELOW(t, mshrs, c->answering, mshrs);
  sl_archive_expect(t, c->unsent_head < mshrs && c->unsent_count <= mshrs && c->answering_head < mshrs &&
                           c->answering_count <= mshrs);
  for (uint32_t i = 0; i < c->unsent_count && !t->bad; i++)
    sl_archive_give(t, client, sm, c->wait[c->unsent[(c->unsent_head + i) % mshrs]].line, sectors);
  for (uint32_t i = 0; i < c->answering_count && !t->bad; i++)
    sl_archive_give(t, SL_SM7_ANSWERING, owner, c->answering[(c->answering_head + i) % mshrs], 1);
  for (uint32_t i = 0; i < mshrs && sl_archive_reads(t) && !t->bad; i++)
    if (c->wait[i].line != SL_SM7_NO_LINE) {
      sl_archive_take(t, SL_SM7_ANSWERING, owner, i, c->wait[i].sectors == 0);
      take_line(t, c, i, sm, client);
    }
}

/* ---- texture cache ----------------------------------------------------------------------------------------------- */

/* A line is of an access that missed. */
static SL_CHECKED_SCHEMA(fragment_schema, struct sl_sm7_fragment,
                         sl_archive_give(t, SL_SM7_SECTORS, owner_of(t), self->who, 1) &&
                             sl_archive_give(t, SL_SM7_MISSED, owner_of(t), 0, self->missed),
                         SL_ANY(who, missed));
static SL_CHECKED_SCHEMA(texture_line_schema, struct sl_sm7_texture_line,
                         sl_archive_give(t, SL_SM7_MISSED, owner_of(t), 0, UINT64_MAX) &&
                             self->request.client == SL_SM7_TO_TEXTURES && self->request.kind == SL_SM7_READ_SECTOR &&
                             self->request.sectors - 1u < SL_SM7_LINE_SECTORS &&
                             self->request.sm == limit[SL_LIMIT_OWNER],
                         SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_IN_CACHE), SL_STRUCTS(sl_sm7_packet_schema, request),
                         SL_MOST(SL_SM7_LINE_SECTORS, sectors));
static SL_SCHEMA(turn_schema, struct sl_sm7_turn, NULL, SL_ANY(head, count));

static void texture_cache_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_texture_cache *c = object;
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  SL_ARCHIVE_ARRAY(t, c->tag, lines);
  SL_ARCHIVE_ARRAY(t, c->used, lines);
  sl_archive_ring(t, "fragment", fragment_schema, c->fragment, c->spec.fragments, c->fragments.head,
                  c->fragments.count);
  sl_archive_ring(t, "line", texture_line_schema, c->line, c->spec.lines, c->lines.head, c->lines.count);
  sl_archive_expect(t, c->results.head < c->spec.results && c->results.count <= c->spec.results);
  for (uint32_t i = 0; i < c->results.count && !t->bad; i++) {
    uint32_t *who = &c->result[(c->results.head + i) % c->spec.results];
    SL_ARCHIVE(t, *who);
    sl_archive_give(t, SL_SM7_SECTORS, owner_of(t), *who, 1);
  }
  sl_archive_expect(t, c->unsent <= c->lines.count);
}

SL_WALKED_SCHEMA(sl_sm7_texture_cache_schema, struct sl_sm7_texture_cache, texture_cache_walk,
                 SL_WALKED(spec, tag, used, fragment, line, result), SL_STRUCTS(turn_schema, fragments, lines, results),
                 SL_ANY(unsent, accesses, missed));

/* ---- DRAM: requests keep their numbers; the free ones become a new list ------------------------------------------ */

enum { REQUESTS = SL_SM7_LIMIT_HERE };

static SL_SCHEMA(request_schema, struct sl_sm7_dram_request, NULL, SL_STRUCTS(sl_sm7_packet_schema, packet),
                 SL_BELOW_LIMIT_OR_NONE(REQUESTS, next), SL_ANY(sent, arrived), SL_DERIVED(row, bank, bursts, write));
static SL_SCHEMA(queue_schema, struct sl_sm7_bank_queue, NULL, SL_BELOW_LIMIT_OR_NONE(REQUESTS, first, last),
                 SL_ANY(row));
static SL_SCHEMA(bank_schema, struct sl_sm7_bank, NULL, SL_STRUCTS(queue_schema, queue),
                 SL_BELOW_LIMIT_OR_NONE(REQUESTS, current),
                 SL_ANY(row, active, activate_at, read_at, write_at, precharge_at));

static void dram_request_walk(struct sl_archive *t, const struct sl_sm7_spec *spec, struct sl_sm7_dram_request *r)
{
  sl_archive_structs(t, "request", request_schema, r, 1);
  if (!sl_archive_reads(t) || t->bad)
    return;
  const struct sl_sm7_place place = sl_sm7_place(spec, r->packet.address);
  r->write = r->packet.kind == SL_SM7_WRITE_BACK;
  r->bursts = r->write ? r->packet.sectors : 1;
  r->row = place.row;
  r->bank = place.bank;
  sl_archive_expect(t, r->arrived < r->bursts && r->arrived <= r->sent && r->sent <= r->bursts);
}

/* The requests of a queue have not begun; its row is that of a request, or none. */
static void queue_walk(struct sl_archive *t, const struct sl_sm7_dram *d, unsigned bank, bool write)
{
  const struct sl_sm7_bank_queue *q = &d->bank[bank].queue[write];
  bool valid = true, has_row = q->row == -1;
  int32_t last = SL_SM7_NO_REQUEST;
  unsigned count = 0;
  for (int32_t i = q->first; i != SL_SM7_NO_REQUEST && count < SL_SM7_DRAM_REQUESTS; i = d->request[i].next, count++) {
    const struct sl_sm7_dram_request *r = &d->request[i];
    sl_archive_give(t, SL_SM7_REQUESTS, owner_of(t), (uint64_t)i, 1);
    valid &= r->sent == 0 && (r->write && d->spec->dram_write_queue) == write && r->bank == bank;
    has_row |= r->row == q->row;
    last = i;
  }
  sl_archive_give(t, SL_SM7_IN_QUEUES, owner_of(t), write, count);
  sl_archive_expect(t, valid && has_row && q->last == last);
}

/* A request with bursts to be sent is in a queue or in service by its bank. Bursts that were sent and have not arrived
 * are on the bus. Each packet has a credit of its slice. */
static void dram_expect(struct sl_archive *t, const struct sl_sm7_dram *d, const uint8_t used[])
{
  const struct sl_sm7_spec *s = d->spec;
  const uint64_t waiting = (uint64_t)d->pending[0] + d->pending[1];
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS; b++) {
    const int32_t current = d->bank[b].current;
    queue_walk(t, d, b, false);
    queue_walk(t, d, b, true);
    sl_archive_give(t, SL_SM7_SERVED, owner_of(t), 0, current != SL_SM7_NO_REQUEST);
    sl_archive_give(t, SL_SM7_REQUESTS, owner_of(t), (uint64_t)current, current != SL_SM7_NO_REQUEST);
    sl_archive_expect(t, current == SL_SM7_NO_REQUEST || d->request[current].bank == b);
  }
  for (int32_t i = 0; i < SL_SM7_DRAM_REQUESTS; i++)
    if (used[i]) {
      const struct sl_sm7_dram_request *r = &d->request[i];
      sl_archive_take(t, SL_SM7_REQUESTS, owner_of(t), (uint64_t)i, r->sent < r->bursts);
      sl_archive_take(t, SL_SM7_BURSTS, owner_of(t), (uint64_t)i, (uint64_t)r->sent - r->arrived);
      sl_archive_give(t, SL_SM7_SERVED, owner_of(t), 0, r->sent == r->bursts);
    }
  sl_archive_expect(t, d->pipe_length <= s->cl + 1 && (d->pipe_least == s->cl || d->pipe_least == s->wl));
  for (uint32_t n = 0; n < d->pipe_length && !t->bad; n++) {
    const int32_t i = d->pipe[(d->pipe_head + n) % SL_SM7_DATA_PIPE];
    sl_archive_give(t, SL_SM7_BURSTS, owner_of(t), (uint64_t)i, i != SL_SM7_NO_REQUEST);
  }
  sl_archive_expect(t, d->pending[0] <= s->dram_reads && d->pending[1] <= s->dram_writes && d->own[0] <= 1 &&
                           d->own[1] <= 1 && d->shared <= d->delay.size &&
                           d->own[0] + d->own[1] + d->shared ==
                               d->delay.count + d->arrivals.count + d->replies.count + waiting + d->in_service &&
                           waiting + d->arrivals.count <= s->dram_reads + s->dram_writes + d->arrivals.size);
}

static void dram_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_dram *d = object;
  const uint32_t room = (uint32_t)t->limits.value[REQUESTS];
  const bool reads = sl_archive_reads(t);
  uint8_t used[SL_SM7_DRAM_REQUESTS] = {0};
  memset(used, 1, room);
  for (int32_t i = d->free; i != SL_SM7_NO_REQUEST && !reads; i = d->request[i].next)
    used[i] = 0;
  sl_archive_bytes(t, used, room);
  if (reads)
    d->free = SL_SM7_NO_REQUEST;
  for (uint32_t i = room; i-- > 0 && !t->bad;)
    if (used[i])
      dram_request_walk(t, d->spec, &d->request[i]);
    else if (reads) {
      d->request[i].next = d->free;
      d->free = (int32_t)i;
    }
  if (reads && !t->bad)
    dram_expect(t, d, used);
}

SL_WALKED_SCHEMA(sl_sm7_dram_schema, struct sl_sm7_dram, dram_walk,
                 SL_INDEX_IS_LIMIT(SL_LIMIT_OWNER, SL_SM7_CHANNEL_SLICES),
                 SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_BEHIND_L2), SL_WALKED(spec, request, free),
                 SL_STRUCTS(bank_schema, bank), SL_TAKES(SL_SM7_IN_QUEUES, pending),
                 SL_TAKES(SL_SM7_SERVED, in_service),
                 SL_ANY(refreshes, group_column_at, group_precharge_at, group_activate_at, group_read_at, column_at,
                        read_at, write_at, activate_at, tick),
                 SL_BELOW(SL_SM7_DRAM_BANKS, first_bank), SL_ANY(draining, writing, pipe_length, pipe_least),
                 SL_BELOW_LIMIT_OR_NONE(REQUESTS, pipe), SL_BELOW(SL_SM7_DATA_PIPE, pipe_head),
                 SL_STRUCTS(sl_sm7_ring_schema, delay, arrivals, replies), SL_BELOW(SL_SM7_CHANNEL_SLICES, last_slice),
                 SL_ANY(own, shared, reads, writes, activations));

/* ---- slices and crossbars ---------------------------------------------------------------------------------------- */

SL_SCHEMA(sl_sm7_slice_schema, struct sl_sm7_slice, NULL, SL_DERIVED(spec, blocked),
          SL_INDEX_IS_LIMIT(SL_LIMIT_OWNER, 1), SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_BEHIND_L2),
          SL_STRUCTS(sl_sm7_ring_schema, to_dram, from_dram), SL_STRUCTS(sl_sm7_cache_schema, cache),
          SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_REQUEST), SL_STRUCTS(sl_sm7_ring_schema, delay, input, output),
          SL_ANY(copied));

SL_SCHEMA(sl_sm7_crossbar_schema, struct sl_sm7_crossbar, NULL, SL_WALKED(in, queues, filled),
          SL_STRUCTS(sl_sm7_ring_schema, out), SL_BELOW_LIMIT(SL_SM7_LIMIT_HERE, next),
          SL_DERIVED(front, asking, asked, fresh, inputs, outputs, writers));

static SL_SCHEMA(queues_schema, struct sl_sm7_queues, NULL, SL_BELOW_LIMIT(SL_SM7_LIMIT_HERE, accept),
                 SL_WALKED(queue, next, free, wants));

/* The packets of an input, queue by queue. They are restored as those that enter. */
static void input_walk(struct sl_archive *t, struct sl_sm7_crossbar *x, unsigned input, sl_sm7_route *route,
                       const void *context)
{
  struct sl_sm7_ring *in = &x->in[input];
  const uint32_t count = sl_archive_number(t, in->count, in->size);
  for (uint32_t n = 0; n < count && sl_archive_reads(t) && !t->bad; n++) {
    struct sl_sm7_packet p = {0};
    sl_archive_structs(t, "item", sl_sm7_packet_schema, &p, 1);
    if (!t->bad)
      sl_sm7_crossbar_push(x, 0, input, route(context, &p), &p);
  }
  if (sl_archive_reads(t))
    return;
  if (x->queues == NULL)
    sl_archive_ring(t, "item", sl_sm7_packet_schema, in->item, in->mask + (size_t)1, in->head, in->count);
  for (sl_sm7_ports rest = x->queues != NULL ? x->queues->wants[input] : 0; rest; rest &= rest - 1) {
    const unsigned output = sl_sm7_first_port(rest);
    unsigned slot = sl_sm7_queues_first(x, input, output);
    for (bool more = true; more; slot = sl_sm7_queues_next(x, input, slot)) {
      more = !sl_sm7_queues_is_last(x, input, output, slot);
      sl_archive_structs(t, "item", sl_sm7_packet_schema, &in->item[slot], 1);
    }
  }
}

void sl_sm7_crossbar_walk(struct sl_archive *t, struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context)
{
  sl_sm7_ports full = 0;
  t->limits.value[SL_SM7_LIMIT_PLACE] = SL_SM7_REQUEST;
  for (unsigned i = 0; i < x->inputs && !t->bad; i++)
    input_walk(t, x, i, route, context);
  t->limits.value[SL_SM7_LIMIT_HERE] = x->outputs;
  if (x->queues != NULL)
    sl_archive_structs(t, "queues", queues_schema, x->queues, 1);
  t->limits.value[SL_SM7_LIMIT_HERE] = x->inputs;
  sl_archive_structs(t, "crossbar", sl_sm7_crossbar_schema, x, 1);
  SL_ARCHIVE(t, x->filled);
  for (unsigned i = 0; i < x->outputs; i++)
    full |= (sl_sm7_ports)(x->out[i].count > 0) << i;
  sl_archive_expect(t, (x->outputs == SL_SM7_PORTS || x->filled >> x->outputs == 0) && (full & ~x->filled) == 0);
}
