/* The multiplier of multiplier.h by events: an instruction that enters in e is due at the result queue in e + 3, and
 * nothing is asked of the stages before. They stand still while one that is due finds the queue full; `still` counts
 * such cycles, and times are kept in those of the stages: less `still`.
 *
 * Compared with the boxes, cycle by cycle, in tests and in test builds. */
#ifndef SL_UNIT_MULTIPLIER_EVENTS_H
#define SL_UNIT_MULTIPLIER_EVENTS_H

#include "base/event_time.h"
#include "unit/multiplier.h"

enum { SL_MULTIPLIER_RESULTS = 2, SL_MULTIPLIER_PLACES = 8 };
SL_HOLDS(SL_MULTIPLIER_PLACES, SL_MULTIPLIER_STAGES + SL_MULTIPLIER_RESULTS, "a place per stage and result");

struct sl_multiplier_events {
  uint8_t head;            /* the oldest instruction's place */
  uint8_t results, staged; /* first those in the result queue, then those in the stages */
  int64_t drained;         /* latest cycle in which a result was taken */
  int64_t still;           /* cycles the stages have stood still */
  int64_t due[SL_MULTIPLIER_PLACES];
  struct sl_response response[SL_MULTIPLIER_PLACES];
};

static inline void sl_multiplier_events_init(struct sl_multiplier_events *m)
{
  *m = (struct sl_multiplier_events){.drained = SL_NEVER_DRAINED};
}

static inline bool sl_multiplier_events_busy(const struct sl_multiplier_events *m)
{
  return m->results + m->staged > 0;
}

/* When the oldest instruction in the stages wants to leave them; SL_NEVER for none. */
static inline int64_t sl_multiplier_events_due(const struct sl_multiplier_events *m)
{
  return m->staged > 0 ? m->due[(m->head + m->results) % SL_MULTIPLIER_PLACES] + m->still : SL_NEVER;
}

/* One cycle, after the result queue's consumer. Returns whether an instruction can enter in this cycle. */
static inline bool sl_multiplier_events_cycle(struct sl_multiplier_events *m, int64_t now)
{
  if (sl_multiplier_events_due(m) > now)
    return true;
  if (m->results + (m->drained == now) < SL_MULTIPLIER_RESULTS) {
    m->results++;
    m->staged--;
    return true;
  }
  m->still++;
  return false;
}

/* An instruction enters; only when sl_multiplier_events_cycle allowed it in this cycle. */
static inline void sl_multiplier_events_put(struct sl_multiplier_events *m, struct sl_response response, int64_t now)
{
  const unsigned place = (unsigned)(m->head + m->results + m->staged++) % SL_MULTIPLIER_PLACES;
  m->due[place] = now + SL_MULTIPLIER_STAGES - m->still;
  m->response[place] = response;
}

static inline struct sl_response sl_multiplier_events_take(struct sl_multiplier_events *m, int64_t now)
{
  const unsigned place = m->head;
  m->head = (uint8_t)((place + 1) % SL_MULTIPLIER_PLACES);
  m->results--;
  m->drained = now;
  return m->response[place];
}

#endif
