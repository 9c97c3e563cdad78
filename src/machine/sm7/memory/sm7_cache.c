#include "machine/sm7/memory/sm7_cache.h"

#include <stdlib.h>
#include <string.h>

enum { NO_WAY = -1 };
#define RANDOM_START UINT64_C(0x9e3779b97f4a7c15)
#define ALL_BYTES UINT32_MAX

enum probe { HIT, HIT_RESERVED, SECTOR_MISS, LINE_MISS };

static uint32_t tag_of(uint64_t address)
{
  return (uint32_t)(address / SL_SM7_LINE);
}

static unsigned sector_of(uint64_t address)
{
  return (unsigned)(address / SL_SM7_SECTOR % SL_SM7_LINE_SECTORS);
}

/* The address of the marked sector; the MSHR and DRAM use the address itself. */
static uint64_t marked(const struct sl_sm7_packet *p)
{
  return p->address + (uint64_t)p->beside * SL_SM7_SECTOR;
}

static bool is_valid(const struct sl_sm7_line *l)
{
  return (l->reserved | l->clean | l->dirty) != 0;
}

static void all_invalid(struct sl_sm7_cache *c)
{
  c->changes++;
  for (uint32_t i = 0; i < c->spec.sets; i++)
    c->ways[i] = (struct sl_sm7_ways){.valid_from = c->spec.ways, .invalid_till = c->spec.ways};
}

enum sl_status sl_sm7_cache_init(struct sl_sm7_cache *c, const struct sl_sm7_cache_spec *spec, struct sl_error *err)
{
  const size_t lines = (size_t)spec->sets * spec->ways;
  const uint32_t waiting = spec->mshrs * spec->merges;
  *c = (struct sl_sm7_cache){.spec = *spec, .buckets = 1};
  while (c->buckets < 2 * spec->mshrs)
    c->buckets *= 2;
  c->tag = malloc(lines * sizeof *c->tag);
  c->line = calloc(lines, sizeof *c->line);
  c->written = calloc(lines, sizeof *c->written);
  c->ways = calloc(spec->sets, sizeof *c->ways);
  c->mshr = calloc(spec->mshrs, sizeof *c->mshr);
  c->bucket = malloc(c->buckets * sizeof *c->bucket);
  c->waiting = malloc(waiting * sizeof *c->waiting);
  c->ready = malloc(spec->mshrs * sizeof *c->ready);
  if (!c->tag || !c->line || !c->written || !c->ways || !c->mshr || !c->bucket || !c->waiting || !c->ready)
    return sl_no_memory(err, waiting * sizeof *c->waiting);
  memset(c->tag, 0xff, lines * sizeof *c->tag);
  memset(c->bucket, 0xff, c->buckets * sizeof *c->bucket);
  for (uint32_t i = 0; i < spec->mshrs; i++)
    c->mshr[i].next = i + 1 < spec->mshrs ? (int32_t)i + 1 : NO_WAY;
  c->free_waiting = waiting;
  c->random = RANDOM_START;
  all_invalid(c);
  return sl_sm7_ring_init(&c->misses, spec->queue + 1, err);
}

void sl_sm7_cache_free(struct sl_sm7_cache *c)
{
  free(c->tag);
  free(c->line);
  free(c->written);
  free(c->ways);
  free(c->mshr);
  free(c->bucket);
  free(c->waiting);
  free(c->ready);
  sl_sm7_ring_free(&c->misses);
}

void sl_sm7_cache_invalidate(struct sl_sm7_cache *c)
{
  if (!c->in_use)
    return;
  const size_t lines = (size_t)c->spec.sets * c->spec.ways;
  for (size_t i = 0; i < lines; i++)
    c->line[i].reserved = c->line[i].clean = c->line[i].dirty = 0;
  all_invalid(c);
  c->dirty_lines = 0;
  c->in_use = false;
}

void sl_sm7_cache_resize(struct sl_sm7_cache *c, uint32_t ways)
{
  if (!c->in_use && c->spec.ways == ways) /* all lines are invalid */
    return;
  c->in_use = true;
  sl_sm7_cache_invalidate(c);
  c->spec.ways = ways;
  all_invalid(c);
}

/* The first way from `from` on with the tag; the number of ways if there is none. */
static uint32_t find_tag(const uint32_t *tag, uint32_t ways, uint32_t wanted, uint32_t from)
{
  uint32_t i = from;
  for (; i + 8 <= ways; i += 8) {
    uint32_t any = 0;
    for (unsigned j = 0; j < 8; j++)
      any |= tag[i + j] == wanted;
    if (any)
      break;
  }
  while (i < ways && tag[i] != wanted)
    i++;
  return i;
}

static bool may_go(const struct sl_sm7_line *l, bool dirty_too)
{
  return !l->reserved && (!l->dirty || dirty_too);
}

/* The least recently used line of a set; with FIFO, the first allocated. */
static int32_t oldest(const struct sl_sm7_cache *c, uint32_t base, bool dirty_too)
{
  int32_t found = NO_WAY;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = base; i < base + c->spec.ways; i++) {
    const struct sl_sm7_line *l = &c->line[i];
    if (l->used < least && may_go(l, dirty_too)) {
      least = l->used;
      found = (int32_t)i;
    }
  }
  return found;
}

/* A random line of a set, with uniform probability. */
static int32_t any(struct sl_sm7_cache *c, uint32_t base, bool dirty_too)
{
  uint32_t count = 0;
  for (uint32_t i = base; i < base + c->spec.ways; i++)
    count += may_go(&c->line[i], dirty_too);
  if (count == 0)
    return NO_WAY;
  c->random ^= c->random << 13;
  c->random ^= c->random >> 7;
  c->random ^= c->random << 17;
  uint32_t left = (uint32_t)(c->random >> 32) % count, i = base;
  while (!may_go(&c->line[i], dirty_too) || left-- > 0)
    i++;
  return (int32_t)i;
}

/* The line of a full set that the policy replaces; NO_WAY: all are reserved. */
static int32_t replaced(struct sl_sm7_cache *c, uint32_t base)
{
  const bool dirty_too =
      (uint64_t)c->dirty_lines * 100 >= (uint64_t)c->spec.dirty_percent * c->spec.sets * c->spec.ways;
  return c->spec.replacement == SL_SM7_REPLACE_RANDOM ? any(c, base, dirty_too) : oldest(c, base, dirty_too);
}

/* Updates a line's time of use. */
static void touch(const struct sl_sm7_cache *c, struct sl_sm7_line *l, uint64_t now)
{
  if (c->spec.replacement != SL_SM7_REPLACE_FIFO)
    l->used = now;
}

/* The last invalid line of a set, else the one to replace. */
static int32_t victim(struct sl_sm7_cache *c, uint32_t set)
{
  const uint32_t base = set * c->spec.ways;
  uint32_t *till = &c->ways[set].invalid_till;
  while (*till && is_valid(&c->line[base + *till - 1]))
    --*till;
  return *till ? (int32_t)(base + *till - 1) : replaced(c, base);
}

static void becomes_valid(struct sl_sm7_cache *c, uint32_t index)
{
  const uint32_t set = index / c->spec.ways, way = index % c->spec.ways;
  if (set < c->spec.sets && way < c->ways[set].valid_from) /* not if the sets have shrunk since it was allocated */
    c->ways[set].valid_from = way;
}

/* A sector of a line that has its tag; LINE_MISS: the line is invalid. */
static enum probe probe_line(const struct sl_sm7_line *l, unsigned bit, bool write)
{
  if (l->reserved & bit)
    return HIT_RESERVED;
  if (l->clean & bit)
    return HIT;
  if (l->dirty & bit)
    return write || (l->readable & bit) ? HIT : SECTOR_MISS;
  return is_valid(l) ? SECTOR_MISS : LINE_MISS;
}

static enum probe probe(const struct sl_sm7_cache *c, uint32_t set, uint64_t address, bool write, uint32_t *index)
{
  const uint32_t base = set * c->spec.ways, wanted = tag_of(address);
  const unsigned bit = 1u << sector_of(address);
  for (uint32_t way = c->ways[set].valid_from;
       (way = find_tag(c->tag + base, c->spec.ways, wanted, way)) < c->spec.ways; way++) {
    *index = base + way;
    const enum probe probed = probe_line(&c->line[base + way], bit, write);
    if (probed != LINE_MISS)
      return probed;
  }
  return LINE_MISS;
}

/* Selects the line of a miss. False: all are reserved. */
/* Frees lines of a set whose reserved sectors are not outstanding. A write clears the reservation of an outstanding
 * sector. Its line may then be replaced, and a later read of the sector reserves another line, which the answer does
 * not fill. In the published source such lines stay reserved, and an access that finds no other line in its set waits
 * forever. */
static void reclaim(struct sl_sm7_cache *c, uint32_t set)
{
  c->changes++;
  for (uint32_t i = set * c->spec.ways; i < (set + 1) * c->spec.ways; i++)
    c->line[i].reserved = 0;
  c->ways[set] = (struct sl_sm7_ways){.valid_from = 0, .invalid_till = c->spec.ways};
}

static bool find_line(struct sl_sm7_cache *c, uint32_t set, uint32_t *index)
{
  int32_t way = victim(c, set);
  if (way == NO_WAY && c->mshrs_used == 0) {
    reclaim(c, set);
    way = victim(c, set);
  }
  *index = (uint32_t)way;
  return way != NO_WAY;
}

/* Reserves the sector of a miss in its line, and returns the dirty sectors of the replaced line. */
static unsigned reserve(struct sl_sm7_cache *c, enum probe probed, uint32_t index, uint64_t address, uint64_t now)
{
  struct sl_sm7_line *l = &c->line[index];
  const uint8_t bit = (uint8_t)(1u << sector_of(address)), others = (uint8_t)~bit;
  unsigned evicted = 0;
  c->changes++;
  touch(c, l, now);
  l->prefetched &= others;
  if (probed == LINE_MISS) {
    evicted = l->dirty;
    c->dirty_lines -= l->dirty != 0;
    c->tag[index] = tag_of(address);
    *l = (struct sl_sm7_line){.used = now, .readable = 0xf, .reserved = bit, .unwritten = true};
    becomes_valid(c, index);
  } else if (probed == SECTOR_MISS) {
    const bool was_dirty = l->dirty != 0;
    l->dirty_on_fill = (uint8_t)((l->dirty_on_fill & others) | (l->dirty & bit));
    l->read_on_fill &= others;
    l->dirty &= others;
    l->reserved |= bit;
    l->readable |= bit;
    c->dirty_lines -= was_dirty && !l->dirty;
  }
  c->in_use = true;
  return evicted;
}

static void mark_dirty(struct sl_sm7_cache *c, uint32_t index, unsigned sector)
{
  c->changes++;
  struct sl_sm7_line *l = &c->line[index];
  const uint8_t bit = (uint8_t)(1u << sector), others = (uint8_t)~bit;
  c->dirty_lines += l->dirty == 0;
  l->reserved &= others;
  l->clean &= others;
  l->dirty |= bit;
}

static void write_back(struct sl_sm7_cache *c, const struct sl_sm7_packet *p, uint64_t line, unsigned sectors)
{
  struct sl_sm7_packet out = *p;
  out.kind = SL_SM7_WRITE_BACK;
  out.address = line;
  out.sectors = (uint8_t)__builtin_popcount(sectors);
  sl_sm7_ring_push(&c->misses, &out);
  c->port_busy += out.sectors;
}

static uint32_t bucket_of(const struct sl_sm7_cache *c, uint64_t sector)
{
  return (uint32_t)(sector * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (c->buckets - 1);
}

static int32_t find_mshr(const struct sl_sm7_cache *c, uint64_t sector)
{
  int32_t i = c->bucket[bucket_of(c, sector)];
  while (i != NO_WAY && c->mshr[i].sector != sector)
    i = c->mshr[i].next;
  return i;
}

static void wait_in_mshr(struct sl_sm7_cache *c, int32_t i, uint64_t sector, const struct sl_sm7_packet *p)
{
  if (i == NO_WAY) {
    const uint32_t bucket = bucket_of(c, sector);
    i = c->free_mshr;
    c->free_mshr = c->mshr[i].next;
    c->mshr[i] = (struct sl_sm7_mshr){.sector = sector, .next = c->bucket[bucket]};
    c->bucket[bucket] = i;
    c->mshrs_used++;
  }
  struct sl_sm7_mshr *m = &c->mshr[i];
  uint32_t slot = c->free_waiting;
  if (slot < c->spec.mshrs * c->spec.merges)
    c->free_waiting = c->waiting[slot].next;
  else
    slot = c->fresh_waiting++;
  c->waiting[slot].packet = *p;
  if (m->count++ == 0)
    m->first = slot;
  else
    c->waiting[m->last].next = slot;
  m->last = slot;
  m->atomic |= p->kind == SL_SM7_ATOMIC_SECTOR;
}

static enum sl_sm7_outcome read_miss(struct sl_sm7_cache *c, enum probe probed, uint32_t index,
                                     const struct sl_sm7_packet *p, uint64_t now)
{
  const uint64_t sector = p->address / SL_SM7_SECTOR, line = (uint64_t)c->tag[index] * SL_SM7_LINE;
  const int32_t i = find_mshr(c, sector);
  if (i != NO_WAY ? c->mshr[i].count >= c->spec.merges : c->mshrs_used >= c->spec.mshrs)
    return SL_SM7_BLOCKED;
  const unsigned evicted = reserve(c, probed, index, marked(p), now);
  wait_in_mshr(c, i, sector, p);
  if (i == NO_WAY) {
    struct sl_sm7_packet out = *p;
    out.line = index;
    sl_sm7_ring_push(&c->misses, &out);
  }
  if (evicted && c->spec.write_back)
    write_back(c, p, line, evicted);
  return probed == HIT_RESERVED ? SL_SM7_PENDING : SL_SM7_MISS;
}

static void note_written(struct sl_sm7_cache *c, uint32_t index, const struct sl_sm7_packet *p)
{
  const unsigned sector = sector_of(p->address);
  struct sl_sm7_line *l = &c->line[index];
  struct sl_sm7_written *w = &c->written[index];
  if (l->unwritten)
    *w = (struct sl_sm7_written){0};
  l->unwritten = false;
  w->sector[sector] |= p->bytes;
  if (w->sector[sector] == ALL_BYTES)
    l->readable |= (uint8_t)(1u << sector);
}

static enum sl_sm7_outcome write_sector(struct sl_sm7_cache *c, enum probe probed, uint32_t index,
                                        const struct sl_sm7_packet *p, uint64_t now)
{
  const unsigned sector = sector_of(p->address);
  const uint64_t line = (uint64_t)c->tag[index] * SL_SM7_LINE;
  const unsigned evicted = reserve(c, probed, index, p->address, now);
  struct sl_sm7_line *l = &c->line[index];
  mark_dirty(c, index, sector);
  if (probed != HIT) {
    const uint8_t bit = (uint8_t)(1u << sector);
    if (p->bytes != ALL_BYTES)
      l->readable &= (uint8_t)~bit;
    if (probed == HIT_RESERVED) {
      l->dirty_on_fill |= bit;
      if (p->bytes != ALL_BYTES)
        l->read_on_fill |= bit;
    }
  }
  note_written(c, index, p);
  if (!c->spec.write_back)
    sl_sm7_ring_push(&c->misses, p);
  else if (evicted)
    write_back(c, p, line, evicted);
  return probed == HIT ? SL_SM7_HIT : probed == HIT_RESERVED ? SL_SM7_PENDING : SL_SM7_MISS;
}

static enum sl_sm7_outcome read_hit(struct sl_sm7_cache *c, uint32_t index, const struct sl_sm7_packet *p, uint64_t now)
{
  touch(c, &c->line[index], now);
  if (p->kind == SL_SM7_ATOMIC_SECTOR)
    mark_dirty(c, index, sector_of(p->address));
  return SL_SM7_HIT;
}

enum sl_sm7_outcome sl_sm7_cache_access(struct sl_sm7_cache *c, uint32_t set, const struct sl_sm7_packet *p,
                                        uint64_t now)
{
  const bool write = p->kind == SL_SM7_WRITE_SECTOR;
  uint32_t index = 0;
  const enum probe probed = probe(c, set, marked(p), write, &index);
  const bool sends = probed != HIT || (write && !c->spec.write_back);
  if (sends && !sl_sm7_cache_has_room(c, write))
    return SL_SM7_BLOCKED;
  if (probed == LINE_MISS && !find_line(c, set, &index))
    return SL_SM7_BLOCKED;
  const bool was_prefetched = probed <= HIT_RESERVED && (c->line[index].prefetched >> sector_of(marked(p)) & 1);
  const enum sl_sm7_outcome outcome = write           ? write_sector(c, probed, index, p, now)
                                      : probed == HIT ? read_hit(c, index, p, now)
                                                      : read_miss(c, probed, index, p, now);
  if (outcome == SL_SM7_HIT)
    c->port_busy++;
  c->accesses += outcome != SL_SM7_BLOCKED;
  c->missed += outcome == SL_SM7_MISS;
  c->writes += write && outcome != SL_SM7_BLOCKED;
  c->writes_missed += write && outcome == SL_SM7_MISS;
  if (was_prefetched && outcome != SL_SM7_BLOCKED) {
    c->prefetch_hits++;
    c->line[index].prefetched &= (uint8_t) ~(1u << sector_of(marked(p)));
  }
  return outcome;
}

void sl_sm7_cache_prefetch(struct sl_sm7_cache *c, uint32_t set, const struct sl_sm7_packet *p, uint64_t now)
{
  uint32_t index = 0;
  const enum probe probed = probe(c, set, marked(p), false, &index);
  if (probed <= HIT_RESERVED || !sl_sm7_cache_has_room(c, false) || 2 * c->mshrs_used >= c->spec.mshrs ||
      find_mshr(c, p->address / SL_SM7_SECTOR) != NO_WAY || (probed == LINE_MISS && !find_line(c, set, &index)))
    return;
  read_miss(c, probed, index, p, now);
  c->line[index].prefetched |= (uint8_t)(1u << sector_of(marked(p)));
  c->prefetches++;
}

static void fill_line(struct sl_sm7_cache *c, uint32_t index, unsigned sector)
{
  c->changes++;
  struct sl_sm7_line *l = &c->line[index];
  const uint8_t bit = (uint8_t)(1u << sector), others = (uint8_t)~bit;
  if (l->dirty_on_fill & bit) {
    mark_dirty(c, index, sector);
  } else {
    const bool was_dirty = l->dirty != 0;
    l->reserved &= others;
    l->dirty &= others;
    l->clean |= bit;
    c->dirty_lines -= was_dirty && !l->dirty;
  }
  l->readable |= l->read_on_fill & bit;
  l->read_on_fill &= others;
  becomes_valid(c, index);
  c->in_use = true;
}

void sl_sm7_cache_fill(struct sl_sm7_cache *c, const struct sl_sm7_packet *p)
{
  const unsigned sector = sector_of(marked(p));
  const int32_t i = find_mshr(c, p->address / SL_SM7_SECTOR);
  fill_line(c, p->line, sector);
  if (c->mshr[i].atomic)
    mark_dirty(c, p->line, sector);
  c->mshr[i].trip = p->trip;
  c->ready[(c->ready_head + c->ready_count++) % c->spec.mshrs] = i;
}

static void free_mshr(struct sl_sm7_cache *c, int32_t i)
{
  int32_t *link = &c->bucket[bucket_of(c, c->mshr[i].sector)];
  while (*link != i)
    link = &c->mshr[*link].next;
  *link = c->mshr[i].next;
  c->mshr[i].next = c->free_mshr;
  c->free_mshr = i;
  c->mshrs_used--;
}

struct sl_sm7_packet sl_sm7_cache_answer(struct sl_sm7_cache *c)
{
  const int32_t i = c->ready[c->ready_head];
  struct sl_sm7_mshr *m = &c->mshr[i];
  const uint32_t slot = m->first;
  m->first = c->waiting[slot].next;
  c->waiting[slot].next = c->free_waiting;
  c->free_waiting = slot;
  if (--m->count == 0) {
    free_mshr(c, i);
    c->ready_head = (c->ready_head + 1) % c->spec.mshrs;
    c->ready_count--;
  }
  return c->waiting[slot].packet;
}

void sl_sm7_cache_warm(struct sl_sm7_cache *c, uint32_t set, uint64_t address, unsigned sectors, uint64_t now)
{
  uint32_t index = 0;
  bool placed = false; /* the line is at `index` */
  for (unsigned i = 0; i < sectors; i++, address += SL_SM7_SECTOR, now++) {
    const enum probe probed =
        placed ? probe_line(&c->line[index], 1u << sector_of(address), false) : probe(c, set, address, false, &index);
    placed = probed != LINE_MISS || find_line(c, set, &index);
    if (!placed)
      continue;
    if (probed == LINE_MISS || probed == SECTOR_MISS)
      reserve(c, probed, index, address, now);
    fill_line(c, index, sector_of(address));
  }
}

bool sl_sm7_cache_visit(struct sl_sm7_cache *c, uint32_t set, uint64_t address, bool write, uint64_t now)
{
  uint32_t index = 0;
  const enum probe probed = probe(c, set, address, write, &index);
  if (probed == HIT_RESERVED || (probed == LINE_MISS && !find_line(c, set, &index)))
    return probed == HIT_RESERVED;
  touch(c, &c->line[index], now);
  if (probed != HIT) {
    reserve(c, probed, index, address, now);
    fill_line(c, index, sector_of(address));
  }
  if (write)
    mark_dirty(c, index, sector_of(address));
  return probed == HIT;
}

int32_t sl_sm7_cache_find(const struct sl_sm7_cache *c, uint64_t sector)
{
  return find_mshr(c, sector);
}

void sl_sm7_cache_wait(struct sl_sm7_cache *c, const struct sl_sm7_packet *p)
{
  const uint64_t sector = p->address / SL_SM7_SECTOR;
  wait_in_mshr(c, find_mshr(c, sector), sector, p);
}

bool sl_sm7_cache_clean(struct sl_sm7_cache *c, struct sl_sm7_packet *write_back)
{
  enum { FEW = 16 };
  for (unsigned n = 0; n < FEW; n++) {
    const uint32_t index = c->hand;
    struct sl_sm7_line *l = &c->line[index];
    c->hand = index + 1 < c->spec.sets * c->spec.ways ? index + 1 : 0;
    if (l->dirty == 0 || l->reserved || (l->dirty & ~l->readable))
      continue;
    write_back->address = (uint64_t)c->tag[index] * SL_SM7_LINE;
    write_back->sectors = (uint8_t)__builtin_popcount(l->dirty);
    c->port_busy += write_back->sectors;
    c->changes++;
    l->clean |= l->dirty;
    l->dirty = 0;
    c->dirty_lines--;
    return true;
  }
  return false;
}
