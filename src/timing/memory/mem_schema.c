#include "base/schema.h"

#include "timing/memory/coalescer.h"
#include "timing/memory/dram.h"
#include "timing/memory/events/dram_events.h"
#include "timing/memory/stack_cache.h"

static SL_SCHEMA(selection_schema, struct sl_selection, NULL, SL_ANY(lanes, scratchpad, whole_block),
                 SL_MOST(SL_DRAM_MOST_BEATS, beats));

SL_SCHEMA(sl_request_schema, struct sl_request, NULL,
          SL_ANY(address, scratchpad_passes, instruction, responds, compressed), SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp),
          SL_BELOW(32, rd), SL_MOST(4, width), SL_SET_OF(SL_LIMIT_ALL_LANES, pending, scratchpad),
          SL_MOST(SL_ACCESS_FENCE, access), SL_MOST(SL_PATTERN_BLOCK, pattern), SL_STRUCTS(selection_schema, pass));

SL_SCHEMA(sl_coalescer_spec_schema, struct sl_coalescer_spec, NULL,
          SL_KEYS(lanes, beat_bytes, fifo_depth, in_flight_depth, stack_base));

SL_SCHEMA(sl_stack_cache_schema, struct sl_stack_cache, NULL, SL_KEYS(entries, block_bits, stack_base),
          SL_ANY(hits, misses, block));

/* ---- DRAM -------------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(transaction_schema, struct sl_dram_transaction, NULL, SL_ANY(word));

/* The beats in flight arrive one by one within a bounded time. */
static bool in_flight_valid(const struct sl_dram *d, int64_t now)
{
  bool valid = true;
  int64_t last = now - 1;
  for (unsigned i = 0; i < d->in_flight && valid; i++) {
    const int64_t next = d->valid[(d->next + i) % SL_DRAM_MAX_OUTSTANDING];
    valid = next > last && next <= now + d->latency;
    last = next;
  }
  return valid;
}

SL_CHECKED_SCHEMA(sl_dram_schema, struct sl_dram,
                  in_flight_valid(self, limit[SL_LIMIT_NOW]) &&
                      ((self->latency == limit[SL_LIMIT_LATENCY] && self->limit == limit[SL_LIMIT_OUTSTANDING]) ||
                       (self->latency == 0 && self->limit == 0)),
                  SL_ANY(latency, limit, active, request_full, burst, read_beat, reading, valid, beat_ready, beats),
                  SL_STRUCTS(transaction_schema, request, bus), SL_MOST(2, bus_count), SL_CYCLES(bus_drained),
                  SL_UP_TO_LIMIT(SL_LIMIT_OUTSTANDING, outstanding),
                  SL_MOST(SL_DRAM_MAX_OUTSTANDING, in_flight, waiting), SL_BELOW(SL_DRAM_MAX_OUTSTANDING, next));
