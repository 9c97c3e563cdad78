#include "mem/cache_validate.h"

#include "base/validate.h"

static const struct sl_cache_pending *pending_of(const struct sl_cache *c, unsigned bank)
{
  return c->pending + (size_t)bank * c->spec.mshr;
}

static const struct sl_cache_pending *ready_of(const struct sl_cache *c, unsigned bank)
{
  return c->ready + (size_t)bank * c->spec.mshr;
}

static bool requests_valid(const struct sl_cache *c, const struct sl_cache_pending *request, unsigned count,
                           unsigned bank)
{
  for (unsigned i = 0; i < count; i++)
    if (!sl_bool_valid(&request[i].write) || sl_cache_bank_of(c, request[i].line) != bank)
      return false;
  return true;
}

/* Checks that the pending requests of a bank fit among the ready ones. */
static bool bank_valid(const struct sl_cache *c, unsigned bank)
{
  const struct sl_cache_bank *b = &c->bank[bank];
  const unsigned most = c->spec.mshr;
  unsigned fills = 0;
  for (unsigned i = 0; i < c->s.fill_count; i++)
    fills += sl_cache_bank_of(c, c->fill[i]) == bank;
  return b->pending_count <= most && b->replay_count <= most - b->pending_count && b->fill_count == fills &&
         sl_bool_valid(&b->flush_waits) && requests_valid(c, pending_of(c, bank), b->pending_count, bank) &&
         requests_valid(c, ready_of(c, bank), b->replay_count, bank);
}

bool sl_cache_valid(const struct sl_cache *c)
{
  if (c->s.answer_first >= c->ring || c->s.answer_count > c->ring || c->s.miss_first >= c->ring ||
      c->s.miss_count > c->ring || c->s.fill_count > sl_cache_slots(c) ||
      (c->s.busy_banks & ~sl_low_bits(c->spec.banks)) != 0)
    return false;
  for (unsigned i = 0; i < c->ring; i++)
    if (!sl_bool_valid(&c->misses[i].write))
      return false;
  for (unsigned bank = 0; bank < c->spec.banks; bank++)
    if (!bank_valid(c, bank))
      return false;
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
