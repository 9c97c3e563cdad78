#include "timing/memory/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/schema.h"

/* Maximum number of answers and misses in flight: all pending requests plus a pipeline of hits per bank. */
static uint32_t ring_size(const struct sl_cache_spec *spec)
{
  uint32_t most = spec->banks * (spec->mshr + spec->latency + spec->miss_latency + 8), size = 64;
  while (size < most * 2)
    size *= 2;
  return size;
}

enum sl_status sl_cache_init(struct sl_cache *c, const struct sl_cache_spec *spec, struct sl_error *err)
{
  const uint32_t lines = spec->bytes / SL_LINE_BYTES, slots = spec->banks * spec->mshr;
  *c = (struct sl_cache){
      .spec = *spec,
      .sets = lines / spec->banks / spec->ways,
      .ring = ring_size(spec),
      .bank = sl_lines_of(spec->banks, sizeof *c->bank),
      .way = sl_lines_of(lines, sizeof *c->way),
      .pending = sl_lines_of(slots, sizeof *c->pending),
      .ready = sl_lines_of(slots, sizeof *c->ready),
      .fill = sl_lines_of(slots, sizeof *c->fill),
  };
  c->bank_bits = sl_log2(spec->banks);
  c->set_bits = sl_log2(c->sets);
  c->answers = sl_lines_of(c->ring, sizeof *c->answers);
  c->misses = sl_lines_of(c->ring, sizeof *c->misses);
  if (c->bank != NULL && c->way != NULL && c->pending != NULL && c->ready != NULL && c->fill != NULL &&
      c->answers != NULL && c->misses != NULL) {
    sl_cache_start(c);
    return SL_OK;
  }
  sl_cache_free(c);
  return sl_no_memory(err, lines * sizeof *c->way);
}

void sl_cache_free(struct sl_cache *c)
{
  free(c->bank);
  free(c->way);
  free(c->pending);
  free(c->ready);
  free(c->fill);
  free(c->answers);
  free(c->misses);
  *c = (struct sl_cache){0};
}

static void clear_ways(struct sl_cache_way *way, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    way[i] = (struct sl_cache_way){.line = SL_NO_LINE};
}

/* A bank that starts late is modelled as a bank that is busy until then. */
void sl_cache_start(struct sl_cache *c)
{
  for (unsigned bank = 0; bank < c->spec.banks; bank++)
    c->bank[bank] = (struct sl_cache_bank){.used = c->spec.start_cycles};
  clear_ways(c->way, c->spec.bytes / SL_LINE_BYTES);
  c->s.busy_banks = 0;
  c->s.answer_first = c->s.answer_count = c->s.miss_first = c->s.miss_count = 0;
  c->s.fill_count = 0;
  c->s.fill_from = 0;
  c->s.counts = (struct sl_cache_counts){0};
}

/* Answers of one cycle are ordered by bank. Usually there is only one. */
static void answer(struct sl_cache *c, uint64_t cycle, uint32_t tag, uint32_t line)
{
  const struct sl_cache_answer own = {cycle + c->spec.latency, tag, line};
  const unsigned bank = sl_cache_bank_of(c, line);
  uint32_t at = c->s.answer_first + c->s.answer_count++;
  for (; at != c->s.answer_first; at--) {
    const struct sl_cache_answer *before = &c->answers[(at - 1) & (c->ring - 1)];
    if (before->cycle != own.cycle || sl_cache_bank_of(c, before->line) <= bank)
      break;
    c->answers[at & (c->ring - 1)] = *before;
  }
  struct sl_cache_answer *a = &c->answers[at & (c->ring - 1)];
  a->cycle = own.cycle;
  a->tag = own.tag;
  a->line = own.line;
}

static void miss(struct sl_cache *c, uint64_t cycle, uint32_t line, bool write)
{
  c->misses[(c->s.miss_first + c->s.miss_count++) & (c->ring - 1)] =
      (struct sl_cache_miss){cycle + c->spec.miss_latency, line, write};
}

static struct sl_cache_way *set_of(const struct sl_cache *c, unsigned bank, uint32_t line)
{
  const uint32_t set = line >> c->bank_bits & (c->sets - 1);
  return c->way + ((size_t)bank * c->sets + set) * c->spec.ways;
}

static struct sl_cache_way *find(const struct sl_cache *c, unsigned bank, uint32_t line)
{
  struct sl_cache_way *set = set_of(c, bank, line);
  for (unsigned w = 0; w < c->spec.ways; w++)
    if (set[w].line == line)
      return &set[w];
  return NULL;
}

/* A line takes an empty way or, in a full set, the way that the replacement policy chooses. */
static void place(struct sl_cache *c, unsigned bank, uint32_t line, uint64_t cycle)
{
  struct sl_cache_way *set = set_of(c, bank, line), *chosen = set;
  for (unsigned w = 0; w < c->spec.ways; w++)
    if (set[w].line == SL_NO_LINE) {
      set[w] = (struct sl_cache_way){line, c->bank[bank].operations};
      return;
    }
  if (c->spec.replacement == SL_REPLACE_ROTATING)
    chosen = &set[cycle & (c->spec.ways - 1)];
  else
    for (unsigned w = 1; w < c->spec.ways; w++)
      if ((int32_t)(set[w].used - chosen->used) < 0)
        chosen = &set[w];
  *chosen = (struct sl_cache_way){line, c->bank[bank].operations};
}

/* Makes the requests that wait for a line ready, in their order. */
static void wake(struct sl_cache *c, unsigned bank, uint32_t line)
{
  struct sl_cache_bank *b = &c->bank[bank];
  struct sl_cache_pending *pending = c->pending + (size_t)bank * c->spec.mshr;
  struct sl_cache_pending *ready = c->ready + (size_t)bank * c->spec.mshr;
  unsigned kept = 0;
  for (unsigned i = 0; i < b->pending_count; i++)
    if (pending[i].line == line)
      ready[b->replay_count++] = pending[i];
    else
      pending[kept++] = pending[i];
  b->pending_count = kept;
}

bool sl_cache_hold_full(struct sl_cache *c, uint64_t cycle, unsigned queue)
{
  const uint32_t mask = c->ring - 1;
  if (c->answers[(c->s.answer_first + queue - 1) & mask].cycle > cycle ||
      c->answers[(c->s.answer_first + queue) & mask].cycle > cycle + 1)
    return false;
  for (uint32_t i = queue; i < c->s.answer_count; i++)
    c->answers[(c->s.answer_first + i) & mask].cycle++;
  return true;
}

static void replay(struct sl_cache *c, unsigned bank, uint64_t cycle)
{
  struct sl_cache_bank *b = &c->bank[bank];
  struct sl_cache_pending *ready = c->ready + (size_t)bank * c->spec.mshr;
  if (!ready[0].write)
    answer(c, cycle, ready[0].tag, ready[0].line);
  b->replay_count--;
  memmove(ready, ready + 1, b->replay_count * sizeof *ready);
}

/* Whether an arrived line is at the bank. With in-order fills only the oldest line of all is. */
static bool line_waits(const struct sl_cache *c, unsigned bank, uint64_t cycle)
{
  if (!c->spec.fills_in_order)
    return c->bank[bank].fill_count > 0;
  return c->s.fill_count > 0 && cycle >= c->s.fill_from && sl_cache_bank_of(c, c->fill[0]) == bank;
}

/* Removes and returns the bank's oldest line. */
static uint32_t next_line(struct sl_cache *c, unsigned bank)
{
  uint32_t *fill = c->fill;
  while (sl_cache_bank_of(c, *fill) != bank)
    fill++;
  const uint32_t line = *fill;
  c->s.fill_count--;
  c->bank[bank].fill_count--;
  memmove(fill, fill + 1, (size_t)(c->fill + c->s.fill_count - fill) * sizeof *fill);
  return line;
}

static void take_line(struct sl_cache *c, unsigned bank, uint64_t cycle)
{
  struct sl_cache_bank *b = &c->bank[bank];
  const uint32_t line = next_line(c, bank);
  c->s.fill_from = cycle + 1;
  b->operations++;
  place(c, bank, line, cycle);
  wake(c, bank, line);
  b->replay_from = cycle + 1 + c->spec.fill_bubble;
}

/* When all sets are cleared, line 0 is read as any other line; bank 0 holds it. */
static void end_flush(struct sl_cache *c, unsigned bank, uint64_t cycle)
{
  struct sl_cache_bank *b = &c->bank[bank];
  for (unsigned other = 1; bank == 0 && other < c->spec.banks; other++)
    if (c->bank[other].flush_waits || c->bank[other].flush_until != 0)
      return;
  b->flush_until = 0;
  if (bank != 0)
    return;
  c->pending[b->pending_count++] = (struct sl_cache_pending){.line = 0, .tag = b->flush_tag};
  miss(c, cycle, 0, false);
}

static void cycle_bank(struct sl_cache *c, unsigned bank, uint64_t cycle)
{
  struct sl_cache_bank *b = &c->bank[bank];
  if (b->replay_count > 0) {
    if (cycle >= b->replay_from) {
      replay(c, bank, cycle);
      b->used = cycle + 1;
    }
  } else if (line_waits(c, bank, cycle)) {
    take_line(c, bank, cycle);
    b->used = cycle + 1;
  } else if (b->flush_waits && b->pending_count == 0) {
    b->flush_waits = false;
    b->flush_until = cycle + c->sets + c->spec.flush_cycles;
    clear_ways(set_of(c, bank, 0), c->sets * c->spec.ways);
  }
  if (b->flush_until != 0 && cycle >= b->flush_until && b->pending_count < c->spec.mshr)
    end_flush(c, bank, cycle);
  if (b->replay_count == 0 && b->fill_count == 0 && !b->flush_waits && b->flush_until == 0)
    c->s.busy_banks &= ~sl_bit(bank);
}

void sl_cache_cycle_busy(struct sl_cache *c, uint64_t cycle)
{
  for (uint64_t rest = c->s.busy_banks; rest; rest &= ~sl_bit(sl_highest(rest)))
    cycle_bank(c, sl_highest(rest), cycle);
}

static bool is_pending(const struct sl_cache *c, unsigned bank, uint32_t line)
{
  const struct sl_cache_pending *pending = c->pending + (size_t)bank * c->spec.mshr;
  for (unsigned i = 0; i < c->bank[bank].pending_count; i++)
    if (pending[i].line == line && !pending[i].write)
      return true;
  return false;
}

static void write_line(struct sl_cache *c, unsigned bank, uint64_t cycle, uint32_t line, uint32_t tag)
{
  struct sl_cache_bank *b = &c->bank[bank];
  struct sl_cache_way *way = find(c, bank, line);
  c->s.counts.writes++;
  miss(c, cycle, line, true);
  if (way != NULL) {
    way->used = b->operations;
    return;
  }
  c->s.counts.write_misses++;
  if (c->spec.merges_writes && is_pending(c, bank, line))
    c->pending[(size_t)bank * c->spec.mshr + b->pending_count++] =
        (struct sl_cache_pending){.line = line, .tag = tag, .write = true};
}

static void read_line(struct sl_cache *c, unsigned bank, uint64_t cycle, uint32_t line, uint32_t tag)
{
  struct sl_cache_bank *b = &c->bank[bank];
  struct sl_cache_way *way = find(c, bank, line);
  c->s.counts.reads++;
  if (way != NULL) {
    way->used = b->operations;
    answer(c, cycle, tag, line);
    return;
  }
  c->s.counts.read_misses++;
  if (!is_pending(c, bank, line))
    miss(c, cycle, line, false);
  c->pending[(size_t)bank * c->spec.mshr + b->pending_count++] = (struct sl_cache_pending){.line = line, .tag = tag};
}

/* Whether outputs accumulate because the caller does not take them. The cache then stops while there is still room for
 * everything in flight. */
static bool congested(const struct sl_cache *c)
{
  return (c->s.miss_count | c->s.answer_count) >= c->ring / 2; /* a power of two */
}

/* Whether a bank performs no other operation in this cycle. It usually has no other. */
static inline bool idle(const struct sl_cache *c, unsigned bank, uint64_t cycle)
{
  const struct sl_cache_bank *b = &c->bank[bank];
  if (b->used > cycle || congested(c))
    return false;
  return !(c->s.busy_banks >> bank & 1) ||
         (b->replay_count == 0 && !line_waits(c, bank, cycle) && !b->flush_waits && b->flush_until == 0);
}

bool sl_cache_can_accept(const struct sl_cache *c, uint64_t cycle, unsigned bank)
{
  const struct sl_cache_bank *b = &c->bank[bank];
  return idle(c, bank, cycle) && b->pending_count + b->replay_count < c->spec.mshr;
}

bool sl_cache_accept(struct sl_cache *c, uint64_t cycle, uint32_t line, bool write, uint32_t tag)
{
  const unsigned bank = sl_cache_bank_of(c, line);
  struct sl_cache_bank *b = &c->bank[bank];
  if (!idle(c, bank, cycle)) {
    c->s.counts.bank_stalls++;
    return false;
  }
  if ((!write || c->spec.merges_writes) && b->pending_count + b->replay_count >= c->spec.mshr) {
    c->s.counts.mshr_stalls++;
    return false;
  }
  b->used = cycle + 1;
  b->operations++;
  if (write)
    write_line(c, bank, cycle, line, tag);
  else
    read_line(c, bank, cycle, line, tag);
  return true;
}

bool sl_cache_read_ahead(struct sl_cache *c, uint64_t cycle, uint32_t line)
{
  struct sl_cache_bank *b = c->bank;
  struct sl_cache_way *way = find(c, 0, line);
  if (way == NULL || b->used > cycle)
    return false;
  b->used = cycle + 1;
  way->used = ++b->operations;
  c->s.counts.reads++;
  return true;
}

bool sl_cache_accept_flush(struct sl_cache *c, uint64_t cycle, uint32_t tag)
{
  for (unsigned bank = 0; bank < c->spec.banks; bank++)
    if (!idle(c, bank, cycle))
      return false;
  for (unsigned bank = 0; bank < c->spec.banks; bank++) {
    c->bank[bank].flush_waits = true;
    c->bank[bank].flush_tag = tag;
  }
  c->s.busy_banks |= sl_low_bits(c->spec.banks);
  return true;
}

bool sl_cache_touch(struct sl_cache *c, uint32_t line, bool write)
{
  const unsigned bank = sl_cache_bank_of(c, line);
  struct sl_cache_bank *b = &c->bank[bank];
  struct sl_cache_way *way = find(c, bank, line);
  b->operations++;
  if (way != NULL)
    way->used = b->operations;
  else if (!write)
    place(c, bank, line, b->operations);
  return way == NULL || write;
}

void sl_cache_forget(struct sl_cache *c)
{
  clear_ways(c->way, c->spec.bytes / SL_LINE_BYTES);
}

void sl_cache_fill(struct sl_cache *c, uint32_t line)
{
  const unsigned bank = sl_cache_bank_of(c, line);
  c->fill[c->s.fill_count++] = line;
  c->bank[bank].fill_count++;
  c->s.busy_banks |= sl_bit(bank);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { SLOTS = SL_LIMIT_OWN, BANKS, MSHR, BANK_MASK, BANK, READER, FILLS /* kind of items: of a bank */ };

static SL_SCHEMA(counts_schema, struct sl_cache_counts, NULL,
                 SL_ANY(reads, writes, read_misses, write_misses, mshr_stalls, bank_stalls));

static SL_SCHEMA(state_schema, struct sl_cache_state, NULL, SL_SET_OF(BANKS, busy_banks),
                 SL_ANY(answer_first, miss_first, answer_count, miss_count, fill_from),
                 SL_UP_TO_LIMIT(SLOTS, fill_count), SL_STRUCTS(counts_schema, counts));

/* The pending requests of a bank fit among the ready ones. The first bank answers a flush. */
static SL_CHECKED_SCHEMA(bank_schema, struct sl_cache_bank,
                         self->replay_count <= limit[MSHR] - self->pending_count &&
                             sl_archive_read(t, limit[BANK] == 0 && (self->flush_waits || self->flush_until != 0),
                                             self->flush_tag, 0),
                         SL_INDEX_IS_LIMIT(BANK, 1), SL_UP_TO_LIMIT(MSHR, pending_count, replay_count),
                         SL_ANY(replay_from, used, operations, flush_until, flush_waits, flush_tag, fill_count));

static SL_SCHEMA(way_schema, struct sl_cache_way, NULL, SL_ANY(line, used));

/* The entries of a bank belong to it. */
static SL_CHECKED_SCHEMA(pending_schema, struct sl_cache_pending,
                         (self->line & limit[BANK_MASK]) == limit[BANK] &&
                             sl_archive_read(t, !self->write, self->tag, self->line),
                         SL_ANY(line, tag, write));
static SL_CHECKED_SCHEMA(answer_schema, struct sl_cache_answer, sl_archive_read(t, true, self->tag, self->line),
                         SL_ANY(cycle, tag, line));
static SL_CHECKED_SCHEMA(miss_schema, struct sl_cache_miss,
                         sl_archive_give(t, 0, (uint64_t)limit[READER], self->line, !self->write),
                         SL_ANY(cycle, line, write));

/* ---- the cache --------------------------------------------------------------------------------------------------- */

/* The first of the reads that wait for a line awaits it. */
static void walk_bank(struct sl_cache *c, unsigned bank, uint32_t reader, struct sl_archive *t)
{
  const struct sl_cache_bank *b = &c->bank[bank];
  const size_t at = (size_t)bank * c->spec.mshr;
  const struct sl_cache_pending *first = c->pending + at;
  t->limits.value[BANK] = bank;
  sl_archive_structs(t, "pending", pending_schema, first, b->pending_count);
  sl_archive_structs(t, "ready", pending_schema, c->ready + at, b->replay_count);
  sl_archive_take(t, FILLS, reader, bank, b->fill_count);
  for (const struct sl_cache_pending *p = first; sl_archive_validates(t) && p < first + b->pending_count; p++) {
    bool waits = !p->write;
    for (const struct sl_cache_pending *before = first; before < p; before++)
      waits &= before->write || before->line != p->line;
    sl_archive_take(t, 0, reader, p->line, waits);
  }
}

void sl_cache_walk(struct sl_cache *c, uint32_t reader, struct sl_archive *t)
{
  t->limits.value[SLOTS] = (int64_t)c->spec.banks * c->spec.mshr;
  t->limits.value[BANKS] = (int64_t)sl_low_bits(c->spec.banks);
  t->limits.value[MSHR] = c->spec.mshr;
  t->limits.value[BANK_MASK] = c->spec.banks - 1;
  t->limits.value[READER] = reader;
  sl_archive_structs(t, "cache", state_schema, &c->s, 1);
  sl_archive_structs(t, "bank", bank_schema, c->bank, c->spec.banks);
  sl_archive_structs(t, "way", way_schema, c->way, (size_t)c->spec.banks * c->sets * c->spec.ways);
  if (!t->bad)
    SL_ARCHIVE_ARRAY(t, c->fill, c->s.fill_count);
  for (unsigned i = 0; i < c->s.fill_count && !t->bad; i++) {
    sl_archive_give(t, 0, reader, c->fill[i], 1);
    sl_archive_give(t, FILLS, reader, sl_cache_bank_of(c, c->fill[i]), 1);
  }
  for (unsigned bank = 0; bank < c->spec.banks && !t->bad; bank++)
    walk_bank(c, bank, reader, t);
  sl_archive_ring(t, "answers", answer_schema, c->answers, c->ring, c->s.answer_first, c->s.answer_count);
  sl_archive_ring(t, "misses", miss_schema, c->misses, c->ring, c->s.miss_first, c->s.miss_count);
}
