/* The banked SRAM scratchpad of SIMTight: request queue, bank arbitration, pipeline and answers. Here it is
 * simulated by events, and in tests/oracles/stepped_scratchpad.h cycle by cycle.
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

/* Computes the order in which the banks serve `lanes`: fills order[] and returns the number of passes. address holds
 * byte addresses; banks is a power of two from 1 to 64. */
unsigned sl_scratchpad_schedule(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES]);

/* The event-driven model. When a request is put, the cycles of its service and its answer
 * are known; the model needs no work per cycle.
 *
 * For request n, put in cycle d with p passes: the first pass is in start = max(d + 2, end of n-1 + 1), the last in end
 * = start + p - 1. The answer is ready for the output register in end + 6. It enters the register then, or in the cycle
 * after the previous answer was taken. All stages stall while a ready answer waits for the register and the first pass
 * of the next answering request has reached the accumulator (5 cycles after the bank arbitration). When the register is
 * free again, all later times move by the length of the stall.
 *
 * Tests compare this model cycle by cycle with the cycle-stepped reference model (tests/oracles/stepped_scratchpad.h).
 */

enum {
  SL_SCRATCHPAD_ACCUMULATED = 5, /* cycles from a pass to the accumulator */
  SL_SCRATCHPAD_READY = 6,       /* cycles from the last pass to the answer */
  SL_SCRATCHPAD_ANSWERS = 16     /* 2 queued, 5 in stages, 2 registers, and a spare: a power of two */
};

struct sl_scratchpad_answer {
  struct sl_response response;
  int64_t ready;       /* cycle in which it is ready for the output register, unless the stages stall */
  int64_t accumulated; /* cycle in which its first pass reaches the accumulator */
};

/* Service times of a request that may be in the queue. */
struct sl_scratchpad_service {
  int64_t put, start, end;
  uint16_t passes, words;
  int8_t answer; /* ring index, -1 for none */
};

struct sl_scratchpad_events {
  int64_t answer; /* cycle in which the oldest answer enters the output register; it can be taken in later cycles */
  int64_t taken;  /* cycle in which the latest answer was taken */
  uint8_t head, count;
  struct sl_scratchpad_service latest[2]; /* [1]: the latest request; [0]: the one before */
  struct sl_scratchpad_answer ring[SL_SCRATCHPAD_ANSWERS];
  uint64_t requests, passes, words; /* of all requests put */
};

const struct sl_schema *sl_scratchpad_events_schema(void);

void sl_scratchpad_events_init(struct sl_scratchpad_events *s);

/* The n-th oldest answer. */
static inline struct sl_scratchpad_answer *sl_scratchpad_answer_at(const struct sl_scratchpad_events *s, unsigned n)
{
  return (struct sl_scratchpad_answer *)&s->ring[(s->head + n) % SL_SCRATCHPAD_ANSWERS];
}

/* The cycle in which the stages stall if the n-th oldest answer cannot enter the register: the next answer, which is
 * not ready earlier, has reached the accumulator. */
static inline int64_t sl_scratchpad_standstill(const struct sl_scratchpad_events *s, unsigned n)
{
  return s->count > n + 1 ? sl_scratchpad_answer_at(s, n + 1)->accumulated : SL_NEVER;
}

/* The current cycle of the stages: now, or the cycle in which they stalled. */
static inline int64_t sl_scratchpad_events_clock(const struct sl_scratchpad_events *s, int64_t now)
{
  const int64_t still = s->answer < now ? sl_scratchpad_standstill(s, 1) : SL_NEVER;
  return sl_sooner(still, now);
}

/* Computes the times of a request's answer from those of its service. */
static inline void sl_scratchpad_time_answer(struct sl_scratchpad_events *s,
                                             const struct sl_scratchpad_service *service)
{
  if (service->answer < 0)
    return;
  struct sl_scratchpad_answer *a = &s->ring[service->answer];
  a->accumulated = service->start + SL_SCRATCHPAD_ACCUMULATED;
  a->ready = service->end + SL_SCRATCHPAD_READY;
}

/* Delays everything after a stall of the stages from one cycle to another. The oldest answer is in the register now. */
void sl_scratchpad_events_delay(struct sl_scratchpad_events *s, int64_t still, int64_t on);

/* Takes the oldest answer in cycle now. Call it before a put of the same cycle. */
static inline struct sl_response sl_scratchpad_events_take(struct sl_scratchpad_events *s, int64_t now)
{
  const unsigned place = s->head;
  s->head = (uint8_t)((place + 1) % SL_SCRATCHPAD_ANSWERS);
  s->count--;
  s->taken = now;
  s->answer = SL_NEVER;
  if (s->count > 0) {
    s->answer = sl_later(sl_scratchpad_answer_at(s, 0)->ready, now + 1);
    const int64_t still = sl_scratchpad_standstill(s, 0);
    if (still < s->answer)
      sl_scratchpad_events_delay(s, still, s->answer);
  }
  return s->ring[place].response;
}

/* The latest request becomes the one before. Times are copied word by word, as a response is. */
static inline void sl_scratchpad_retire(struct sl_scratchpad_service *before,
                                        const struct sl_scratchpad_service *latest)
{
  before->put = latest->put;
  before->start = latest->start;
  before->end = latest->end;
  before->passes = latest->passes;
  before->words = latest->words;
  before->answer = latest->answer;
}

static inline void sl_scratchpad_events_put(struct sl_scratchpad_events *s, const struct sl_scratchpad_request *request,
                                            int64_t now)
{
  struct sl_scratchpad_service *service = &s->latest[1];
  sl_scratchpad_retire(&s->latest[0], service);
  service->put = now;
  service->start = sl_later(now + 2, s->latest[0].end + 1);
  service->end = service->start + request->passes - 1;
  service->passes = request->passes;
  service->words = request->words;
  service->answer = -1;
  s->requests++;
  s->passes += request->passes;
  s->words += request->words;
  if (!request->responds)
    return;
  service->answer = (int8_t)((s->head + s->count++) % SL_SCRATCHPAD_ANSWERS);
  sl_response_copy(&s->ring[service->answer].response, &request->response);
  sl_scratchpad_time_answer(s, service);
  if (s->count == 1)
    s->answer = sl_later(s->ring[service->answer].ready, s->taken + 1);
}

/* Whether the two-entry queue has room; its fullness is a register. */
static inline bool sl_scratchpad_events_can_put(const struct sl_scratchpad_events *s, int64_t now)
{
  return s->latest[0].end < now && (s->count < 3 || s->latest[0].end < sl_scratchpad_events_clock(s, now));
}

/* Whether the oldest answer can be taken in cycle now. */
static inline bool sl_scratchpad_events_can_take(const struct sl_scratchpad_events *s, int64_t now)
{
  return s->answer < now;
}

/* Whether events remain after the cycles before now. */
bool sl_scratchpad_events_busy(const struct sl_scratchpad_events *s, int64_t now);

/* Work of the banks in the cycles before now. */
struct sl_scratchpad_counts {
  uint64_t requests, passes, words;
};

struct sl_scratchpad_counts sl_scratchpad_events_counts(const struct sl_scratchpad_events *s, int64_t now);

#endif
