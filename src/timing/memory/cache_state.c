#include "base/schema.h"
#include "timing/memory/cache.h"

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { SLOTS = SL_LIMIT_OWN, BANKS, MSHR, BANK_MASK, BANK, READER };

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
  unsigned fills = 0;
  t->limits.value[BANK] = bank;
  sl_archive_structs(t, "pending", pending_schema, first, b->pending_count);
  sl_archive_structs(t, "ready", pending_schema, c->ready + at, b->replay_count);
  for (unsigned i = 0; i < c->s.fill_count; i++) {
    const bool own = sl_cache_bank_of(c, c->fill[i]) == bank;
    fills += own;
    sl_archive_give(t, 0, reader, c->fill[i], own);
  }
  sl_archive_expect(t, b->fill_count == fills);
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
  for (unsigned bank = 0; bank < c->spec.banks && !t->bad; bank++)
    walk_bank(c, bank, reader, t);
  sl_archive_ring(t, "answers", answer_schema, c->answers, c->ring, c->s.answer_first, c->s.answer_count);
  sl_archive_ring(t, "misses", miss_schema, c->misses, c->ring, c->s.miss_first, c->s.miss_count);
}
