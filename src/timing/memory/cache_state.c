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

enum { SLOTS = SL_LIMIT_OWN, RING, BANKS, MSHR };

static SL_SCHEMA(counts_schema, struct sl_cache_counts, NULL,
                 SL_ANY(reads, writes, read_misses, write_misses, mshr_stalls, bank_stalls));

static SL_SCHEMA(state_schema, struct sl_cache_state, NULL, SL_SET_OF(BANKS, busy_banks),
                 SL_BELOW_LIMIT(RING, answer_first, miss_first), SL_UP_TO_LIMIT(RING, answer_count, miss_count),
                 SL_UP_TO_LIMIT(SLOTS, fill_count), SL_ANY(fill_from), SL_STRUCTS(counts_schema, counts));

static SL_SCHEMA(bank_schema, struct sl_cache_bank, NULL, SL_UP_TO_LIMIT(MSHR, pending_count, replay_count),
                 SL_ANY(replay_from, used, operations, flush_until, flush_waits, flush_tag, fill_count));

static SL_SCHEMA(way_schema, struct sl_cache_way, NULL, SL_ANY(line, used));
static SL_SCHEMA(pending_schema, struct sl_cache_pending, NULL, SL_ANY(line, tag, write));
static SL_SCHEMA(answer_schema, struct sl_cache_answer, NULL, SL_ANY(cycle, tag, line));
static SL_SCHEMA(miss_schema, struct sl_cache_miss, NULL, SL_ANY(cycle, line, write));

void sl_cache_walk(struct sl_cache *c, struct sl_archive *archive)
{
  const size_t slots = sl_cache_slots(c);
  int64_t *limit = archive->limits.value;
  limit[SLOTS] = (int64_t)slots;
  limit[RING] = c->ring;
  limit[BANKS] = (int64_t)sl_low_bits(c->spec.banks);
  limit[MSHR] = c->spec.mshr;
  sl_archive_structs(archive, "cache", state_schema, &c->s, 1);
  sl_archive_structs(archive, "bank", bank_schema, c->bank, c->spec.banks);
  sl_archive_structs(archive, "way", way_schema, c->way, (size_t)c->spec.banks * c->sets * c->spec.ways);
  sl_archive_structs(archive, "pending", pending_schema, c->pending, slots);
  sl_archive_structs(archive, "ready", pending_schema, c->ready, slots);
  sl_archive_numbers(archive, "fill", (struct sl_state_field){.type = SL_TYPE_U32}, c->fill, slots);
  sl_archive_structs(archive, "answers", answer_schema, c->answers, c->ring);
  sl_archive_structs(archive, "misses", miss_schema, c->misses, c->ring);
}

/* ---- rules over several fields ----------------------------------------------------------------------------------- */

static bool of_bank(const struct sl_cache *c, const struct sl_cache_pending *request, unsigned count, unsigned bank)
{
  for (unsigned i = 0; i < count; i++)
    if (sl_cache_bank_of(c, request[i].line) != bank)
      return false;
  return true;
}

/* The pending requests of a bank fit among the ready ones. */
bool sl_cache_valid(const struct sl_cache *c)
{
  for (unsigned bank = 0; bank < c->spec.banks; bank++) {
    const struct sl_cache_bank *b = &c->bank[bank];
    unsigned fills = 0;
    for (unsigned i = 0; i < c->s.fill_count; i++)
      fills += sl_cache_bank_of(c, c->fill[i]) == bank;
    if (b->replay_count > c->spec.mshr - b->pending_count || b->fill_count != fills ||
        !of_bank(c, pending_of(c, bank), b->pending_count, bank) ||
        !of_bank(c, ready_of(c, bank), b->replay_count, bank))
      return false;
  }
  return true;
}

bool sl_cache_each_read(const struct sl_cache *c, bool (*see)(void *context, uint32_t tag, uint32_t line),
                        void *context)
{
  bool good = true;
  for (unsigned bank = 0; bank < c->spec.banks && good; bank++) {
    const struct sl_cache_pending *pending = pending_of(c, bank), *ready = ready_of(c, bank);
    for (unsigned i = 0; i < c->bank[bank].pending_count && good; i++)
      good = pending[i].write || see(context, pending[i].tag, pending[i].line);
    for (unsigned i = 0; i < c->bank[bank].replay_count && good; i++)
      good = ready[i].write || see(context, ready[i].tag, ready[i].line);
  }
  if (good && (c->bank[0].flush_waits || c->bank[0].flush_until != 0))
    good = see(context, c->bank[0].flush_tag, 0);
  for (uint32_t i = 0; i < c->s.answer_count && good; i++) {
    const struct sl_cache_answer *a = &c->answers[(c->s.answer_first + i) & (c->ring - 1)];
    good = see(context, a->tag, a->line);
  }
  return good;
}

size_t sl_cache_slots(const struct sl_cache *c)
{
  return (size_t)c->spec.banks * c->spec.mshr;
}

/* Index of the bank's first request that waits for a line, or their number. */
static unsigned first_of(const struct sl_cache *c, unsigned bank, uint32_t line)
{
  const struct sl_cache_pending *pending = pending_of(c, bank);
  unsigned i = 0;
  while (i < c->bank[bank].pending_count && (pending[i].write || pending[i].line != line))
    i++;
  return i;
}

bool sl_cache_expects(const struct sl_cache *c, uint8_t *mark, uint32_t line)
{
  const unsigned bank = sl_cache_bank_of(c, line), i = first_of(c, bank, line);
  uint8_t *known = &mark[(size_t)bank * c->spec.mshr + i];
  if (i == c->bank[bank].pending_count || *known != 0)
    return false;
  *known = 1;
  return true;
}

bool sl_cache_expects_own(const struct sl_cache *c, uint8_t *mark)
{
  for (uint32_t i = 0; i < c->s.miss_count; i++) {
    const struct sl_cache_miss *m = &c->misses[(c->s.miss_first + i) & (c->ring - 1)];
    if (!m->write && !sl_cache_expects(c, mark, m->line))
      return false;
  }
  for (uint32_t i = 0; i < c->s.fill_count; i++)
    if (!sl_cache_expects(c, mark, c->fill[i]))
      return false;
  return true;
}

bool sl_cache_complete(const struct sl_cache *c, const uint8_t *mark)
{
  for (unsigned bank = 0; bank < c->spec.banks; bank++) {
    const struct sl_cache_pending *pending = pending_of(c, bank);
    for (unsigned i = 0; i < c->bank[bank].pending_count; i++)
      if (!pending[i].write && !mark[(size_t)bank * c->spec.mshr + first_of(c, bank, pending[i].line)])
        return false;
  }
  return true;
}
