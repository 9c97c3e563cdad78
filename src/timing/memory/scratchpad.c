#include "timing/memory/scratchpad.h"

#include "base/schema.h"

/* Streams of one or two lanes, as with 16 banks and 32 lanes. In diverged code, the offered lane and the free banks are
 * unpredictable, so there is no branch on them. */
static unsigned schedule_pairs(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES])
{
  unsigned passes = 0, n = 0;
  while (lanes) {
    uint64_t taken = 0; /* banks */
    const sl_lanes first = lanes & sl_low_bits(banks);
    for (sl_lanes rest = first | lanes >> 1 >> (banks - 1); rest; rest &= rest - 1) {
      const unsigned stream = sl_lowest(rest);
      const unsigned lane = stream + (first >> stream & 1 ? 0 : banks);
      const uint64_t bank = sl_bit((address[lane] >> 2) & (banks - 1));
      const bool wins = !(taken & bank);
      taken |= bank;
      order[n] = (uint8_t)lane;
      n += wins;
      lanes &= ~((uint64_t)wins << lane);
    }
    passes++;
  }
  return passes;
}

unsigned sl_scratchpad_schedule(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES])
{
  const sl_lanes streams = sl_low_bits(banks);
  unsigned passes = 0, n = 0;
  if (banks >= SL_MAX_LANES / 2 || lanes >> 2 * banks == 0)
    return schedule_pairs(address, lanes, banks, order);
  while (lanes) {
    sl_lanes offered = 0; /* streams that offer a lane */
    for (unsigned shift = 0; shift < SL_MAX_LANES; shift += banks)
      offered |= (lanes >> shift) & streams;
    uint64_t taken = 0; /* banks */
    for (sl_lanes rest = offered; rest && taken != streams; rest &= rest - 1) {
      unsigned lane = sl_lowest(rest);
      while (!(lanes >> lane & 1))
        lane += banks;
      /* In conflicting code, a free bank is unpredictable, so there is no branch on it. */
      const uint64_t bank = sl_bit((address[lane] >> 2) & (banks - 1));
      const bool wins = !(taken & bank);
      taken |= bank;
      order[n] = (uint8_t)lane;
      n += wins;
      lanes &= ~((uint64_t)wins << lane);
    }
    passes++;
  }
  return passes;
}

void sl_scratchpad_events_init(struct sl_scratchpad_events *s)
{
  enum { LONG_AGO = -64 };
  const struct sl_scratchpad_service none = {.put = LONG_AGO, .start = LONG_AGO, .end = LONG_AGO, .answer = -1};
  *s = (struct sl_scratchpad_events){.answer = SL_NEVER, .taken = SL_NEVER_DRAINED, .latest = {none, none}};
}

/* Delays a request that was in the queue when the stages stalled in cycle `still`; they resume in cycle `on`. */
static void delay_service(struct sl_scratchpad_service *service, int64_t before, int64_t still, int64_t on)
{
  if (service->start < still) {
    service->end += service->end >= still ? on - still : 0;
    return;
  }
  service->start = sl_later(sl_later(service->put + 2, before + 1), on);
  service->end = service->start + service->passes - 1;
}

void sl_scratchpad_events_delay(struct sl_scratchpad_events *s, int64_t still, int64_t on)
{
  for (unsigned n = 1; n < s->count; n++) {
    struct sl_scratchpad_answer *a = sl_scratchpad_answer_at(s, n);
    a->ready += on - still;
    a->accumulated += a->accumulated > still ? on - still : 0;
  }
  int64_t before = s->latest[0].put; /* its predecessor has ended: it started as soon as possible */
  for (unsigned i = 0; i < 2; i++) {
    struct sl_scratchpad_service *service = &s->latest[i];
    const bool queued = service->end >= still, waits = service->start >= still;
    delay_service(service, before, still, on);
    if (queued && waits)
      sl_scratchpad_time_answer(s, service);
    before = service->end;
  }
}

bool sl_scratchpad_events_busy(const struct sl_scratchpad_events *s, int64_t now)
{
  /* A store leaves the stages after the third. */
  enum { OPERATED = 4 };
  return s->count > 0 || s->latest[1].end + OPERATED > now;
}

struct sl_scratchpad_counts sl_scratchpad_events_counts(const struct sl_scratchpad_events *s, int64_t now)
{
  struct sl_scratchpad_counts counts = {s->requests, s->passes, s->words};
  const int64_t clock = sl_scratchpad_events_clock(s, now);
  for (unsigned i = 0; i < 2; i++) {
    const struct sl_scratchpad_service *service = &s->latest[i];
    if (service->end < clock)
      continue;
    counts.requests--;
    counts.words -= service->words;
    counts.passes -= service->start >= clock ? service->passes : (uint64_t)(service->end - clock + 1);
  }
  return counts;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(service_schema, struct sl_scratchpad_service, NULL, SL_TIMES(put, start, end), SL_ANY(passes, words),
                 SL_RANGE(-1, SL_LIMIT_NONE, SL_SCRATCHPAD_ANSWERS - 1, answer));

static SL_SCHEMA(answer_schema, struct sl_scratchpad_answer, NULL, SL_STRUCTS(sl_response_schema, response),
                 SL_TIMES(ready, accumulated));

SL_CHECKED_SCHEMA(sl_scratchpad_events_schema, struct sl_scratchpad_events,
                  (self->count == 0) == (self->answer == SL_NEVER), SL_TIMES(answer, taken),
                  SL_BELOW(SL_SCRATCHPAD_ANSWERS, head, count), SL_STRUCTS(service_schema, latest),
                  SL_STRUCTS(answer_schema, ring), SL_ANY(requests, passes, words));
