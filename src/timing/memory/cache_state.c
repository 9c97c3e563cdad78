#include "timing/memory/cache.h"

#include "base/state_archive.h"

static const struct sl_cache_pending *pending_of(const struct sl_cache *c, unsigned bank)
{
  return c->pending + (size_t)bank * c->spec.mshr;
}

static const struct sl_cache_pending *ready_of(const struct sl_cache *c, unsigned bank)
{
  return c->ready + (size_t)bank * c->spec.mshr;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { SLOTS = SL_LIMIT_OWN, BANKS, MSHR };

static SL_SCHEMA(counts_schema, struct sl_cache_counts, NULL,
                 SL_ANY(reads, writes, read_misses, write_misses, mshr_stalls, bank_stalls));

static SL_SCHEMA(state_schema, struct sl_cache_state, NULL, SL_SET_OF(BANKS, busy_banks),
                 SL_ANY(answer_first, miss_first, answer_count, miss_count, fill_from),
                 SL_UP_TO_LIMIT(SLOTS, fill_count), SL_STRUCTS(counts_schema, counts));

/* The pending requests of a bank fit among the ready ones. */
static SL_CHECKED_SCHEMA(bank_schema, struct sl_cache_bank, self->replay_count <= limit[MSHR] - self->pending_count,
                         SL_UP_TO_LIMIT(MSHR, pending_count, replay_count),
                         SL_ANY(replay_from, used, operations, flush_until, flush_waits, flush_tag, fill_count));

static SL_SCHEMA(way_schema, struct sl_cache_way, NULL, SL_ANY(line, used));
static SL_SCHEMA(pending_schema, struct sl_cache_pending, NULL, SL_ANY(line, tag, write));
static SL_SCHEMA(answer_schema, struct sl_cache_answer, NULL, SL_ANY(cycle, tag, line));
static SL_SCHEMA(miss_schema, struct sl_cache_miss, NULL, SL_ANY(cycle, line, write));

/* The entries of a bank belong to it. */
static void walk_bank(struct sl_cache *c, unsigned bank, struct sl_archive *archive)
{
  const struct sl_cache_bank *b = &c->bank[bank];
  const struct sl_cache_pending *pending = pending_of(c, bank), *ready = ready_of(c, bank);
  unsigned fills = 0;
  sl_archive_structs(archive, "pending", pending_schema, pending, b->pending_count);
  sl_archive_structs(archive, "ready", pending_schema, ready, b->replay_count);
  for (unsigned i = 0; i < c->s.fill_count; i++)
    fills += sl_cache_bank_of(c, c->fill[i]) == bank;
  sl_archive_expect(archive, b->fill_count == fills);
  for (unsigned i = 0; i < b->pending_count && !archive->bad; i++)
    sl_archive_expect(archive, sl_cache_bank_of(c, pending[i].line) == bank);
  for (unsigned i = 0; i < b->replay_count && !archive->bad; i++)
    sl_archive_expect(archive, sl_cache_bank_of(c, ready[i].line) == bank);
}

void sl_cache_walk(struct sl_cache *c, struct sl_archive *archive)
{
  archive->limits.value[SLOTS] = (int64_t)c->spec.banks * c->spec.mshr;
  archive->limits.value[BANKS] = (int64_t)sl_low_bits(c->spec.banks);
  archive->limits.value[MSHR] = c->spec.mshr;
  sl_archive_structs(archive, "cache", state_schema, &c->s, 1);
  sl_archive_structs(archive, "bank", bank_schema, c->bank, c->spec.banks);
  sl_archive_structs(archive, "way", way_schema, c->way, (size_t)c->spec.banks * c->sets * c->spec.ways);
  if (!archive->bad)
    SL_ARCHIVE_ARRAY(archive, c->fill, c->s.fill_count);
  for (unsigned bank = 0; bank < c->spec.banks && !archive->bad; bank++)
    walk_bank(c, bank, archive);
  sl_archive_ring(archive, "answers", answer_schema, c->answers, c->ring, c->s.answer_first, c->s.answer_count);
  sl_archive_ring(archive, "misses", miss_schema, c->misses, c->ring, c->s.miss_first, c->s.miss_count);
}

/* ---- reads and lines in flight ----------------------------------------------------------------------------------- */

void sl_cache_each_read(const struct sl_cache *c, void (*see)(void *context, uint32_t tag, uint32_t line),
                        void *context)
{
  for (unsigned bank = 0; bank < c->spec.banks; bank++) {
    const unsigned pending = c->bank[bank].pending_count;
    for (unsigned i = 0; i < pending + c->bank[bank].replay_count; i++) {
      const struct sl_cache_pending *r = i < pending ? pending_of(c, bank) + i : ready_of(c, bank) + i - pending;
      if (!r->write)
        see(context, r->tag, r->line);
    }
  }
  if (c->bank[0].flush_waits || c->bank[0].flush_until != 0)
    see(context, c->bank[0].flush_tag, 0);
  for (uint32_t i = 0; i < c->s.answer_count; i++) {
    const struct sl_cache_answer *a = &c->answers[(c->s.answer_first + i) & (c->ring - 1)];
    see(context, a->tag, a->line);
  }
}

void sl_cache_balance(const struct sl_cache *c, uint32_t tag, struct sl_archive *archive)
{
  for (uint32_t i = 0; i < c->s.miss_count; i++) {
    const struct sl_cache_miss *m = &c->misses[(c->s.miss_first + i) & (c->ring - 1)];
    sl_archive_give(archive, 0, tag, m->line, !m->write);
  }
  for (uint32_t i = 0; i < c->s.fill_count; i++)
    sl_archive_give(archive, 0, tag, c->fill[i], 1);
  for (unsigned bank = 0; bank < c->spec.banks; bank++) {
    const struct sl_cache_pending *first = pending_of(c, bank), *end = first + c->bank[bank].pending_count;
    for (const struct sl_cache_pending *p = first; p < end; p++) {
      bool waits = !p->write;
      for (const struct sl_cache_pending *before = first; before < p; before++)
        waits &= before->write || before->line != p->line;
      sl_archive_take(archive, 0, tag, p->line, waits);
    }
  }
}
