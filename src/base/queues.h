/* The hardware queues between the units of an SM. They hold responses and behave as clocked registers.
 *
 * Timing contract: units are evaluated once per cycle, consumers before producers. A consumer sees an item from the
 * cycle after its put on. The kinds differ in when the room that a take makes becomes usable:
 *   pipeline queue  one entry, refillable in the cycle in which it drains
 *   register queue  two entries; full and empty are registers
 * `now` is the current cycle. Queues whose fullness is a register store the cycle of the latest take. */
#ifndef SL_BASE_QUEUES_H
#define SL_BASE_QUEUES_H

#include "base/types.h"

/* A quantity over time. value[i] is its maximum in cycles i * period to (i + 1) * period - 1 since the start of the
 * launch. When the series is full, neighbours merge and the period doubles. */

enum { SL_SERIES_SIZE = 256 };

struct sl_series {
  uint64_t period;
  unsigned count;
  uint16_t value[SL_SERIES_SIZE];
};

/* Times of event-driven units, which compute when events happen instead of checking every cycle. */

/* Unknown or never. Adding a latency does not overflow. */
#define SL_NEVER (INT64_MAX / 2)

static inline int64_t sl_later(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static inline int64_t sl_sooner(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* The lanes of a warp whose result for rd has arrived from memory, multiplier, divider or floating-point unit. Warp and
 * rd share one word: with two narrower stores, an immediate copy would wait until both leave the host's store
 * buffer. */
struct sl_response {
  sl_lanes lanes;
  uint64_t tag;
};

static inline struct sl_response sl_response(sl_lanes lanes, unsigned warp, unsigned rd)
{
  return (struct sl_response){.lanes = lanes, .tag = warp | rd << 8};
}

/* Copies a response word by word. A copy by one wide load would wait in the same way if it has just been written. */
static inline void sl_response_copy(struct sl_response *to, const struct sl_response *from)
{
  to->lanes = from->lanes;
  to->tag = from->tag;
}

static inline unsigned sl_response_warp(struct sl_response r)
{
  return r.tag & 0xff;
}

static inline unsigned sl_response_rd(struct sl_response r)
{
  return (r.tag >> 8) & 0xff;
}

/* Tables of their fields (base/schema.h). */
const struct sl_schema *sl_response_schema(void);
const struct sl_schema *sl_pipeline_queue_schema(void);
const struct sl_schema *sl_register_queue_schema(void);

enum { SL_NEVER_DRAINED = -1 };

struct sl_pipeline_queue {
  bool full;
  struct sl_response item;
};

static inline void sl_pipeline_put(struct sl_pipeline_queue *q, struct sl_response item)
{
  q->item = item;
  q->full = true;
}

struct sl_register_queue {
  uint8_t count;
  int64_t drained;
  struct sl_response item[2];
};

static inline bool sl_register_can_put(const struct sl_register_queue *q, int64_t now)
{
  return q->count + (q->drained == now) < 2;
}

static inline void sl_register_put(struct sl_register_queue *q, struct sl_response item)
{
  q->item[q->count++] = item;
}

static inline struct sl_response sl_register_take(struct sl_register_queue *q, int64_t now)
{
  struct sl_response item = q->item[0];
  q->item[0] = q->item[1];
  q->count--;
  q->drained = now;
  return item;
}

#endif
