/* The scratchpad of scratchpad.h by events: when a request is put, the cycles in which it will be served and answered
 * are known, so nothing is asked from cycle to cycle.
 *
 * Request n, put in d with p passes: the first pass in start = max(d + 2, end of n-1 + 1), the last in end = start + p
 * - 1, the answer ready for the output register in end + 6. It enters the register then, or in the cycle after the one
 * in which the answer before it was taken. While an answer that is ready waits for the register, and a pass of the next
 * request that answers has come to the accumulator (5 cycles after the bank arbitration), everything behind stands
 * still: when the register is free again, all later times move by as many cycles.
 *
 * The boxes of scratchpad.h are what this is compared with, cycle by cycle. */
#ifndef SL_MEM_EVENTS_SCRATCHPAD_EVENTS_H
#define SL_MEM_EVENTS_SCRATCHPAD_EVENTS_H

#include "base/event_time.h"
#include "mem/scratchpad.h"

enum {
  SL_SCRATCHPAD_ACCUMULATED = 5, /* cycles from a pass to the accumulator */
  SL_SCRATCHPAD_READY = 6,       /* from the last pass to the answer */
  SL_SCRATCHPAD_ANSWERS = 16     /* 2 queued, 5 in stages, 2 registers, and a spare: a power of two */
};

struct sl_scratchpad_answer {
  struct sl_response response;
  int64_t ready;       /* for the output register, unless the stages stand still */
  int64_t accumulated; /* its first pass comes to the accumulator */
};

/* Of a request, while it may be in the queue. */
struct sl_scratchpad_service {
  int64_t put, start, end;
  uint16_t passes, words;
  int8_t answer; /* place in the ring, -1 for none */
};

struct sl_scratchpad_events {
  int64_t answer; /* the oldest answer enters the output register: it can be taken in later cycles */
  int64_t taken;  /* the latest one was */
  uint8_t head, count;
  struct sl_scratchpad_service latest[2]; /* the latest request, [1], and the one before */
  struct sl_scratchpad_answer ring[SL_SCRATCHPAD_ANSWERS];
  uint64_t requests, passes, words; /* that have been put */
};

void sl_scratchpad_events_init(struct sl_scratchpad_events *s);

/* Takes the oldest answer, in cycle now, before a request is put in it. */
struct sl_response sl_scratchpad_events_take(struct sl_scratchpad_events *s, int64_t now);

void sl_scratchpad_events_put(struct sl_scratchpad_events *s, const struct sl_scratchpad_request *request, int64_t now);

/* The cycle the stages are in: now, or the one in which they came to a standstill. */
int64_t sl_scratchpad_events_clock(const struct sl_scratchpad_events *s, int64_t now);

/* Room in the queue, of two entries whose fullness is a register. */
static inline bool sl_scratchpad_events_can_put(const struct sl_scratchpad_events *s, int64_t now)
{
  return s->latest[0].end < now && (s->count < 3 || s->latest[0].end < sl_scratchpad_events_clock(s, now));
}

/* Whether the oldest answer can be taken in cycle now. */
static inline bool sl_scratchpad_events_can_take(const struct sl_scratchpad_events *s, int64_t now)
{
  return s->answer < now;
}

/* Whether anything is to come after the cycles before now. */
bool sl_scratchpad_events_busy(const struct sl_scratchpad_events *s, int64_t now);

/* What the banks have done in the cycles before now. */
struct sl_scratchpad_counts {
  uint64_t requests, passes, words;
};

struct sl_scratchpad_counts sl_scratchpad_events_counts(const struct sl_scratchpad_events *s, int64_t now);

#endif
