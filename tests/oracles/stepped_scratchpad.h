/* The oracle of timing/memory/scratchpad.h: the same scratchpad, whose stages advance in every cycle. */
#ifndef SL_STEPPED_SCRATCHPAD_H
#define SL_STEPPED_SCRATCHPAD_H

#include "base/queues.h"
#include "timing/memory/scratchpad.h"

/* One entry, not refillable in the cycle in which it drains: one item per two cycles. */
struct sl_shift_queue {
  bool full;
  int64_t drained;
  struct sl_response item;
};

static inline bool sl_shift_can_put(const struct sl_shift_queue *q, int64_t now)
{
  return !q->full && q->drained != now;
}

static inline void sl_shift_put(struct sl_shift_queue *q, struct sl_response item)
{
  q->item = item;
  q->full = true;
}

static inline struct sl_response sl_shift_take(struct sl_shift_queue *q, int64_t now)
{
  q->full = false;
  q->drained = now;
  return q->item;
}

static inline bool sl_response_same(struct sl_response a, struct sl_response b)
{
  return a.lanes == b.lanes && a.tag == b.tag;
}

/* Stages after the arbitration: 1 crossbar, 2 read, 3 operate, 4 response crossbar, 5 accumulate. */
enum { SL_SCRATCHPAD_STAGES = 5, SL_SCRATCHPAD_RING = 8 };
SL_HOLDS(SL_SCRATCHPAD_RING, SL_SCRATCHPAD_STAGES + 1, "a stage each, and the one being filled");

struct sl_scratchpad {
  bool active;
  unsigned queued;
  int64_t queue_drained;
  int64_t queue_entered[2]; /* cycle in which each queued request was put */
  struct sl_scratchpad_request queue[2];
  unsigned passes_done;
  /* In the sets, bit n is stage n. The ring holds the response of each pass; incrementing head advances the stages. */
  unsigned full, last, responds; /* last: the last pass of its request */
  unsigned head;
  struct sl_response ring[SL_SCRATCHPAD_RING];
  bool respond;
  struct sl_response accumulated;
  struct sl_shift_queue response;

  uint64_t requests, passes, words; /* counters */
};

void sl_scratchpad_init(struct sl_scratchpad *s);

static inline bool sl_scratchpad_can_put(const struct sl_scratchpad *s, int64_t now)
{
  return s->queued + (s->queue_drained == now) < 2;
}

static inline void sl_scratchpad_put(struct sl_scratchpad *s, struct sl_scratchpad_request request, int64_t now)
{
  s->queue_entered[s->queued] = now;
  s->queue[s->queued++] = request;
  s->active = true;
}

/* Performs one cycle, after the merge has taken from `response` and before the coalescing unit puts. */
void sl_scratchpad_cycle(struct sl_scratchpad *s, int64_t now);

#endif
