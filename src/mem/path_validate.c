#include "mem/path_validate.h"

bool sl_request_valid(const struct sl_request *r, struct sl_shape shape)
{
  return r->warp < shape.warps && r->rd < 32 && r->width <= 4 && ((r->pending | r->scratchpad) & ~shape.lanes) == 0 &&
         (unsigned)r->access <= SL_ACCESS_FENCE && (unsigned)r->pattern <= SL_PATTERN_BLOCK &&
         SL_BOOLS_VALID(&r->responds, &r->compressed);
}

/* ---- DRAM ------------------------------------------------------------------------------------------------------- */

/* The beats in flight arrive one by one within a bounded time. */
static bool beats_valid(const struct sl_dram *d, int64_t now)
{
  int64_t last = now - 1;
  if (d->in_flight > SL_DRAM_MAX_OUTSTANDING || d->next >= SL_DRAM_MAX_OUTSTANDING)
    return false;
  for (unsigned i = 0; i < d->in_flight; i++) {
    const int64_t valid = d->valid[(d->next + i) % SL_DRAM_MAX_OUTSTANDING];
    if (valid <= last || valid > now + (int64_t)d->latency)
      return false;
    last = valid;
  }
  return true;
}

bool sl_dram_valid(const struct sl_dram *d, unsigned latency, unsigned limit, int64_t now)
{
  const bool started = d->latency == latency && d->limit == limit;
  return (started || (d->latency == 0 && d->limit == 0)) && sl_cycle_valid(d->bus_drained) && d->bus_count <= 2 &&
         d->outstanding <= limit && d->waiting <= SL_DRAM_MAX_OUTSTANDING &&
         SL_BOOLS_VALID(&d->active, &d->request_full, &d->reading, &d->beat_ready) && beats_valid(d, now);
}

/* ---- stack cache ------------------------------------------------------------------------------------------------ */

bool sl_stack_cache_valid(const struct sl_stack_cache *c, const struct sl_stack_cache *live)
{
  return c->entries == live->entries && c->block_bits == live->block_bits && c->stack_base == live->stack_base;
}
