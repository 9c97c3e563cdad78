/* Event-driven model of the multiplier of multiplier.h. An instruction that enters in e leaves the stages in e + 3 if
 * the result queue has room; it can be taken in later cycles. The model needs no work per cycle.
 *
 * The queue has two entries, and its fullness is a register. It has room for an instruction in the cycle after the take
 * of the instruction two before it. Until then the stages stall, and all their instructions leave later by the length
 * of the stall.
 *
 * Tests and test builds compare this model cycle by cycle with the cycle-stepped reference model of multiplier.h. */
#ifndef SL_UNIT_MULTIPLIER_EVENTS_H
#define SL_UNIT_MULTIPLIER_EVENTS_H

#include "base/event_time.h"
#include "timing/pipeline/multiplier.h"

enum { SL_MULTIPLIER_RESULTS = 2, SL_MULTIPLIER_PLACES = 8 };
SL_HOLDS(SL_MULTIPLIER_PLACES, SL_MULTIPLIER_STAGES + SL_MULTIPLIER_RESULTS, "a place per stage and result");

struct sl_multiplier_events {
  int64_t
      product; /* cycle in which the oldest instruction leaves the stages; its result can be taken in later cycles */
  unsigned head, count;
  int64_t due[SL_MULTIPLIER_PLACES]; /* cycle of arrival at the end of the stages */
  int64_t out[SL_MULTIPLIER_PLACES]; /* cycle of leaving them; SL_NEVER: unknown */
  struct sl_response response[SL_MULTIPLIER_PLACES];
};

static inline void sl_multiplier_events_init(struct sl_multiplier_events *m)
{
  *m = (struct sl_multiplier_events){.product = SL_NEVER};
}

static inline bool sl_multiplier_events_busy(const struct sl_multiplier_events *m)
{
  return m->count > 0;
}

/* The ring index of the n-th oldest instruction. */
static inline unsigned sl_multiplier_events_place(const struct sl_multiplier_events *m, unsigned n)
{
  return (m->head + n) % SL_MULTIPLIER_PLACES;
}

/* Whether an instruction can enter in cycle now, after this cycle's take: the stages do not stall. */
static inline bool sl_multiplier_events_can_put(const struct sl_multiplier_events *m, int64_t now)
{
  for (unsigned n = 0; n < m->count; n++) {
    const unsigned place = sl_multiplier_events_place(m, n);
    if (m->out[place] > now)
      return m->due[place] > now;
  }
  return true;
}

static inline void sl_multiplier_events_put(struct sl_multiplier_events *m, struct sl_response response, int64_t now)
{
  const unsigned place = sl_multiplier_events_place(m, m->count);
  m->due[place] = now + SL_MULTIPLIER_STAGES;
  m->out[place] = m->count < SL_MULTIPLIER_RESULTS ? m->due[place] : SL_NEVER;
  m->response[place] = response;
  m->product = m->count == 0 ? m->out[place] : m->product;
  m->count++;
}

/* The response of the oldest instruction; arbitrary if there is none. */
static inline struct sl_response sl_multiplier_events_oldest(const struct sl_multiplier_events *m)
{
  return m->response[m->head];
}

/* Takes the oldest result in cycle now. */
static inline void sl_multiplier_events_take(struct sl_multiplier_events *m, int64_t now)
{
  m->head = sl_multiplier_events_place(m, 1);
  m->count--;
  m->product = m->count > 0 ? m->out[m->head] : SL_NEVER;
  if (m->count < SL_MULTIPLIER_RESULTS)
    return;
  const unsigned second = sl_multiplier_events_place(m, 1);
  m->out[second] = sl_later(m->due[second], now + 1);
  for (unsigned n = 2; n < m->count; n++)
    m->due[sl_multiplier_events_place(m, n)] += m->out[second] - m->due[second];
}

#endif
