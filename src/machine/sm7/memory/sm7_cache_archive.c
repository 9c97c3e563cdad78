#include "machine/sm7/memory/sm7_cache_archive.h"

#include <string.h>

#include "base/validate.h"

/* ---- L1 and L2 --------------------------------------------------------------------------------------------------- */

static void mshr_archive(struct sl_sm7_archive *t, struct sl_sm7_cache *c, int32_t i, bool ready)
{
  const bool reads = sl_archive_reads(&t->bytes);
  uint64_t sector = reads ? 0 : c->mshr[i].sector;
  uint32_t slot = reads ? 0 : c->mshr[i].first;
  sl_archive_bool(&t->bytes, &ready);
  SL_ARCHIVE(&t->bytes, sector);
  struct sl_sm7_trip trip = {0};
  if (!reads && ready)
    trip = c->mshr[i].trip;
  SL_ARCHIVE(&t->bytes, trip);
  const uint32_t count = sl_archive_number(&t->bytes, reads ? 0 : c->mshr[i].count, c->spec.merges);
  sl_archive_expect(&t->bytes, count > 0 && sl_sm7_cache_find(c, sector) < 0);
  for (uint32_t n = 0; n < count && !t->bytes.bad; n++) {
    struct sl_sm7_packet p = {0};
    if (!reads) {
      p = c->waiting[slot].packet;
      slot = c->waiting[slot].next;
    }
    sl_sm7_packet_archive(t, &p);
    if (sl_archive_expect(&t->bytes, p.address / SL_SM7_SECTOR == sector) && reads)
      sl_sm7_cache_wait(c, &p);
  }
  if (reads && ready && !t->bytes.bad) {
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
static void mshrs_archive(struct sl_sm7_archive *t, struct sl_sm7_cache *c)
{
  const uint32_t used = sl_archive_number(&t->bytes, c->mshrs_used, c->spec.mshrs);
  if (sl_archive_reads(&t->bytes)) {
    for (uint32_t i = 0; i < used && !t->bytes.bad; i++)
      mshr_archive(t, c, 0, false);
    return;
  }
  for (uint32_t i = 0; i < c->ready_count; i++)
    mshr_archive(t, c, c->ready[(c->ready_head + i) % c->spec.mshrs], true);
  for (uint32_t bucket = 0; bucket < c->buckets; bucket++)
    for (int32_t i = c->bucket[bucket]; i >= 0; i = c->mshr[i].next)
      if (!is_ready(c, i))
        mshr_archive(t, c, i, false);
}

static bool lines_valid(const struct sl_sm7_cache *c, size_t lines)
{
  enum { SECTORS = (1 << SL_SM7_LINE_SECTORS) - 1 };
  for (size_t i = 0; i < lines; i++) {
    const struct sl_sm7_line *l = &c->line[i];
    if (!sl_bool_valid(&l->unwritten) || (l->reserved | l->clean | l->dirty | l->readable | l->dirty_on_fill |
                                          l->read_on_fill | l->prefetched) > SECTORS)
      return false;
  }
  for (uint32_t i = 0; i < c->spec.sets; i++)
    if (c->ways[i].valid_from > c->spec.ways || c->ways[i].invalid_till > c->spec.ways)
      return false;
  return true;
}

void sl_sm7_cache_archive(struct sl_sm7_archive *t, struct sl_sm7_cache *c, uint32_t ways)
{
  struct sl_archive *b = &t->bytes;
  const size_t lines = (size_t)c->spec.sets * ways;
  c->spec.ways = sl_archive_number(b, c->spec.ways, ways);
  sl_archive_expect(b, c->spec.ways > 0);
  sl_archive_bytes(b, c->tag, lines * sizeof *c->tag);
  sl_archive_bytes(b, c->line, lines * sizeof *c->line);
  sl_archive_bytes(b, c->written, lines * sizeof *c->written);
  sl_archive_bytes(b, c->ways, c->spec.sets * sizeof *c->ways);
  sl_archive_expect(b, lines_valid(c, lines));
  SL_ARCHIVE(b, c->dirty_lines);
  SL_ARCHIVE(b, c->port_busy);
  sl_archive_bool(b, &c->in_use);
  SL_ARCHIVE(b, c->accesses);
  SL_ARCHIVE(b, c->missed);
  SL_ARCHIVE(b, c->random);
  SL_ARCHIVE(b, c->prefetches);
  SL_ARCHIVE(b, c->prefetch_hits);
  sl_archive_expect(b, c->random != 0);
  mshrs_archive(t, c);
  sl_sm7_ring_archive(t, &c->misses);
}

bool sl_sm7_cache_each(const struct sl_sm7_cache *c, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                       void *context)
{
  bool good = true;
  for (uint32_t bucket = 0; bucket < c->buckets; bucket++)
    for (int32_t i = c->bucket[bucket]; i >= 0 && good; i = c->mshr[i].next) {
      uint32_t slot = c->mshr[i].first;
      for (uint32_t n = 0; n < c->mshr[i].count && good; n++, slot = c->waiting[slot].next)
        good = see(context, &c->waiting[slot].packet);
    }
  return good;
}

/* ---- line caches ------------------------------------------------------------------------------------------------- */

static bool is_other(const struct sl_sm7_line_cache *c, uint32_t number)
{
  for (uint32_t i = 0; i < number; i++)
    if (c->wait[i].line == c->wait[number].line)
      return false;
  return true;
}

static void wait_archive(struct sl_sm7_archive *t, struct sl_sm7_line_cache *c, uint32_t number)
{
  struct sl_sm7_line_wait *w = &c->wait[number];
  SL_ARCHIVE(&t->bytes, w->line);
  if (w->line == SL_SM7_NO_LINE)
    return;
  w->count = sl_archive_number(&t->bytes, w->count, c->spec.merges);
  w->first = sl_archive_number(&t->bytes, w->first, c->spec.merges - 1);
  w->sectors = sl_archive_number(&t->bytes, w->sectors, c->spec.line / SL_SM7_SECTOR);
  sl_sm7_packet_archive(t, &w->p);
  sl_archive_expect(&t->bytes, w->count > 0 && is_other(c, number) && w->p.address == w->line * c->spec.line &&
                                   w->p.kind == SL_SM7_READ_SECTOR && w->p.sectors == c->spec.line / SL_SM7_SECTOR);
  for (uint32_t i = 0; i < w->count; i++)
    SL_ARCHIVE(&t->bytes, c->who[number * c->spec.merges + (w->first + i) % c->spec.merges]);
}

/* A ring of MSHRs, each of which must have the given number of outstanding sectors. */
static void waits_archive(struct sl_sm7_archive *t, const struct sl_sm7_line_cache *c, uint32_t *ring, uint32_t *head,
                          uint32_t *count, uint32_t sectors, uint64_t *seen)
{
  const uint32_t first = *head;
  *count = sl_archive_number(&t->bytes, *count, c->spec.mshrs);
  for (uint32_t i = 0; i < *count; i++) {
    uint32_t *place = &ring[(first + i) % c->spec.mshrs];
    *place = sl_archive_number(&t->bytes, *place, c->spec.mshrs - 1);
    const struct sl_sm7_line_wait *w = &c->wait[*place];
    sl_archive_expect(&t->bytes, w->line != SL_SM7_NO_LINE && w->sectors == sectors && !(*seen >> *place & 1));
    *seen |= UINT64_C(1) << *place;
  }
}

void sl_sm7_line_cache_archive(struct sl_sm7_archive *t, struct sl_sm7_line_cache *c)
{
  struct sl_archive *b = &t->bytes;
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  uint64_t unsent = 0, answering = 0; /* at most 64 MSHRs */
  sl_archive_bytes(b, c->tag, lines * sizeof *c->tag);
  sl_archive_bytes(b, c->used, lines * sizeof *c->used);
  SL_ARCHIVE(b, c->accesses);
  SL_ARCHIVE(b, c->missed);
  for (uint32_t i = 0; i < c->spec.mshrs; i++)
    wait_archive(t, c, i);
  waits_archive(t, c, c->unsent, &c->unsent_head, &c->unsent_count, c->spec.line / SL_SM7_SECTOR, &unsent);
  waits_archive(t, c, c->answering, &c->answering_head, &c->answering_count, 0, &answering);
  for (uint32_t i = 0; i < c->spec.mshrs; i++)
    sl_archive_expect(b, c->wait[i].line == SL_SM7_NO_LINE || c->wait[i].sectors != 0 || (answering >> i & 1));
}

/* ---- texture cache ----------------------------------------------------------------------------------------------- */

static void turn_archive(struct sl_sm7_archive *t, struct sl_sm7_turn *turn, uint32_t room)
{
  turn->head = sl_archive_number(&t->bytes, turn->head, room - 1);
  turn->count = sl_archive_number(&t->bytes, turn->count, room);
}

void sl_sm7_texture_cache_archive(struct sl_sm7_archive *t, struct sl_sm7_texture_cache *c)
{
  struct sl_archive *b = &t->bytes;
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  uint32_t missed = 0;
  sl_archive_bytes(b, c->tag, lines * sizeof *c->tag);
  sl_archive_bytes(b, c->used, lines * sizeof *c->used);
  SL_ARCHIVE(b, c->accesses);
  SL_ARCHIVE(b, c->missed);
  turn_archive(t, &c->fragments, c->spec.fragments);
  turn_archive(t, &c->lines, c->spec.lines);
  turn_archive(t, &c->results, c->spec.results);
  c->unsent = sl_archive_number(b, c->unsent, c->lines.count);
  for (uint32_t i = 0; i < c->fragments.count; i++) {
    struct sl_sm7_fragment *f = &c->fragment[(c->fragments.head + i) % c->spec.fragments];
    SL_ARCHIVE(b, f->who);
    sl_archive_bool(b, &f->missed);
    missed += f->missed;
  }
  for (uint32_t i = 0; i < c->lines.count; i++) {
    struct sl_sm7_texture_line *l = &c->line[(c->lines.head + i) % c->spec.lines];
    sl_sm7_packet_archive(t, &l->request);
    l->sectors = sl_archive_number(b, l->sectors, SL_SM7_LINE_SECTORS);
    sl_archive_expect(b, l->request.client == SL_SM7_TO_TEXTURES && l->request.kind == SL_SM7_READ_SECTOR &&
                             l->request.sectors == SL_SM7_LINE_SECTORS);
  }
  for (uint32_t i = 0; i < c->results.count; i++)
    SL_ARCHIVE(b, c->result[(c->results.head + i) % c->spec.results]);
  sl_archive_expect(b, missed == c->lines.count);
}
