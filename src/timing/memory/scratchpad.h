/* The banked SRAM scratchpad of SIMTight: request queue, bank arbitration, pipeline and answers. The functions that
 * step cycle by cycle are the reference model of test builds; machines use timing/memory/events/scratchpad_events.h.
 *
 * Bank = word address modulo banks. In each cycle `banks` streams offer one lane each: stream s offers the lowest
 * pending lane of s, s + banks, s + 2 banks... In each bank the lowest-numbered stream wins. All winners leave
 * together. A load of one address by all lanes is one access. Timing from stage 4 of the coalescing unit in cycle d:
 * first group in d+2 (two-entry shift queue), then one group per cycle, +1 crossbar, +1 read, +1 write or atomic
 * operation, +1 response crossbar, +1 accumulate, +1 respond, into a one-entry shift queue. If an answer cannot be
 * delivered and the next has arrived, all stages stall.
 *
 * Source: SIMTight paper, section III-A, scratchpad memory; constants from the published RTL. */
#ifndef SL_MEM_SCRATCHPAD_H
#define SL_MEM_SCRATCHPAD_H

#include "base/queues.h"

struct sl_scratchpad_request {
  struct sl_response response;
  uint16_t passes; /* cycles in the bank arbitration */
  uint16_t words;  /* accessed in the banks */
  uint32_t responds;
};

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

/* Computes the order in which the banks serve `lanes`: fills order[] and returns the number of passes. address holds
 * byte addresses; banks is a power of two from 1 to 64. */
unsigned sl_scratchpad_schedule(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES]);

#endif
