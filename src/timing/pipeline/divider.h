/* SIMTight's divider, sequential or pipelined.
 *
 * Timing. Sequential: one instruction at a time. The result of an instruction accepted in e can be taken from e+35 on.
 * The next instruction is accepted from the cycle after that on. Pipelined (full throughput): one instruction per
 * cycle. The result enters the output FIFO after `latency` cycles and can be taken two cycles later. At most `depth`
 * instructions are between acceptance and taking.
 *
 * Source: published RTL of SIMTight. There, the latency of the pipelined divider is that of a vendor's divider; here it
 * is a key. */
#ifndef SL_UNIT_DIVIDER_H
#define SL_UNIT_DIVIDER_H

#include "base/queues.h"

enum { SL_DIVIDER_SEQUENTIAL_CYCLES = 35, SL_DIVIDER_MAX_DEPTH = 64 };

enum sl_divider_kind { SL_DIVIDER_SEQUENTIAL, SL_DIVIDER_PIPELINED };

struct sl_divider {
  enum sl_divider_kind kind;
  unsigned latency; /* cycles from acceptance until the result can be taken */
  unsigned depth;   /* maximum number of instructions between acceptance and taking */
  unsigned head, count;
  int64_t taken; /* cycle of the latest take */
  int64_t ready[SL_DIVIDER_MAX_DEPTH];
  struct sl_response response[SL_DIVIDER_MAX_DEPTH];
};

static inline void sl_divider_init(struct sl_divider *d, enum sl_divider_kind kind, unsigned latency, unsigned depth)
{
  *d = (struct sl_divider){.kind = kind, .taken = SL_NEVER_DRAINED};
  d->latency = kind == SL_DIVIDER_SEQUENTIAL ? SL_DIVIDER_SEQUENTIAL_CYCLES : latency + 2;
  d->depth = kind == SL_DIVIDER_SEQUENTIAL ? 1 : depth;
}

static inline bool sl_divider_can_put(const struct sl_divider *d, int64_t now)
{
  return d->count + (d->taken == now) < d->depth;
}

static inline void sl_divider_put(struct sl_divider *d, struct sl_response response, int64_t now)
{
  unsigned slot = (d->head + d->count++) % SL_DIVIDER_MAX_DEPTH;
  d->ready[slot] = now + d->latency;
  d->response[slot] = response;
}

static inline bool sl_divider_can_take(const struct sl_divider *d, int64_t now)
{
  return d->count > 0 && now >= d->ready[d->head];
}

static inline struct sl_response sl_divider_take(struct sl_divider *d, int64_t now)
{
  struct sl_response response = d->response[d->head];
  d->head = (d->head + 1) % SL_DIVIDER_MAX_DEPTH;
  d->count--;
  d->taken = now;
  return response;
}

/* The next cycle with work; INT64_MAX if empty. */
static inline int64_t sl_divider_next_event(const struct sl_divider *d)
{
  return d->count > 0 ? d->ready[d->head] : INT64_MAX;
}

#endif
