#include "timing/memory/events/dram_events.h"

#include <string.h>

#include "base/schema.h"

void sl_dram_events_init(struct sl_dram_events *d, unsigned latency, unsigned limit, unsigned in_flight_depth)
{
  memset(d, 0, sizeof *d);
  d->latency = latency;
  d->limit = limit;
  d->in_flight_depth = in_flight_depth;
  d->answer = SL_NEVER;
  d->stage5 = d->taken = d->put = d->line = -1;
  for (unsigned i = 0; i < SL_DRAM_TRANSACTIONS; i++)
    d->transaction[i] = (struct sl_dram_transaction_times){-1, -1, -1};
}

/* The n-th oldest answer; transaction j. */
static struct sl_dram_answer *answer_at(struct sl_dram_events *d, unsigned n)
{
  return &d->ring[(d->head + n) % SL_DRAM_ANSWERS];
}

static struct sl_dram_transaction_times *at(struct sl_dram_events *d, unsigned j)
{
  return &d->transaction[j % SL_DRAM_TRANSACTIONS];
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* Computes the cycle of an answer's first beat, if the cycles of its head position and its service are known. */
static void begin(const struct sl_dram_events *d, struct sl_dram_answer *a)
{
  if (a->beats == 0)
    a->first = a->head + 1;
  else if (a->served != SL_NEVER)
    a->first = sl_later(a->served + d->latency + SL_DRAM_READ_DELAY, a->head + 1);
}

/* Computes what is known of the two oldest answers. The times of later ones depend on the takes of these. */
static void settle_answers(struct sl_dram_events *d)
{
  if (d->answers == 0)
    return;
  struct sl_dram_answer *oldest = answer_at(d, 0), *second = answer_at(d, 1);
  if (oldest->first == SL_NEVER)
    begin(d, oldest);
  if (oldest->first == SL_NEVER)
    return;
  if (d->answer == SL_NEVER)
    d->answer = sl_later(oldest->first + (int64_t)oldest->beats, d->taken + 1);
  if (d->answers == 1 || second->first != SL_NEVER)
    return;
  second->head = sl_later(second->put + 1, d->answer);
  begin(d, second);
}

static unsigned expect(struct sl_dram_events *d, int64_t put)
{
  const unsigned place = (d->head + d->answers++) % SL_DRAM_ANSWERS;
  struct sl_dram_answer *a = &d->ring[place];
  sl_response_copy(&a->response, &d->pass.response);
  a->put = put;
  a->served = a->first = SL_NEVER;
  a->head = put + 1;
  a->beats = d->pass.beats;
  return place;
}

/* ---- transactions ------------------------------------------------------------------------------------------------ */

/* The first cycle in which the in-flight queue has room; its fullness is a register. */
static int64_t room(struct sl_dram_events *d)
{
  if (d->answers < d->in_flight_depth)
    return 0;
  switch (d->answers - d->in_flight_depth) { /* the answer that must reach the head */
  case 0: return answer_at(d, 0)->head + 1;
  case 1: return sl_later(answer_at(d, 1)->put + 1, d->answer) + 1;
  default: return SL_NEVER;
  }
}

/* Stage 5 puts a transaction, or an answer without one: *entered becomes true. Returns false if the cycle is unknown.
 */
static bool put_one(struct sl_dram_events *d, bool *entered)
{
  if (d->unput == 0)
    return false;
  const int64_t can = sl_later(sl_later(at(d, d->count - 1)->bus, d->put + 1), room(d));
  if (can >= SL_NEVER)
    return false;
  const bool store = d->pass.store || (d->pass.updates && d->unput <= d->pass.beats);
  d->put = sl_later(can, d->earliest);
  *entered |= !store;
  if (--d->unput == 0)
    d->stage5 = d->put;
  if (d->pass.beats == 0) {
    expect(d, d->put);
    return true;
  }
  const unsigned place = d->count++ % SL_DRAM_TRANSACTIONS;
  d->transaction[place] = (struct sl_dram_transaction_times){d->put, SL_NEVER, SL_NEVER};
  d->transaction_beats[place] = (uint16_t)(d->pass.beats | (store ? SL_DRAM_STORE : 0));
  if (!store)
    d->transaction_answer[place] = (uint8_t)expect(d, d->put);
  return true;
}

/* The first cycle in which `beats` more beats may be outstanding. The beats of the two oldest answers have known
 * times. */
static int64_t allowed(struct sl_dram_events *d, unsigned beats)
{
  if (d->open + beats <= d->limit)
    return 0;
  int64_t wanted = (int64_t)d->open + beats - d->limit;
  for (unsigned n = 0; n < 2 && n < d->answers; n++) {
    const struct sl_dram_answer *a = answer_at(d, n);
    if (a->first == SL_NEVER)
      return SL_NEVER;
    if (wanted <= (int64_t)a->beats)
      return a->first + wanted;
    wanted -= (int64_t)a->beats;
  }
  return SL_NEVER;
}

/* Serves the next transaction. Returns false if there is none or the cycle is unknown. A read settles the answers:
 * *entered becomes false. */
static bool serve_one(struct sl_dram_events *d, bool *entered)
{
  if (d->unserved == d->count)
    return false;
  const unsigned place = d->unserved % SL_DRAM_TRANSACTIONS;
  const unsigned beats = d->transaction_beats[place] & (SL_DRAM_STORE - 1);
  const bool store = d->transaction_beats[place] & SL_DRAM_STORE;
  struct sl_dram_transaction_times *t = &d->transaction[place];
  const int64_t can = sl_later(sl_later(t->bus + 1, d->line), allowed(d, beats));
  if (can >= SL_NEVER)
    return false;
  t->served = can;
  d->unserved++;
  d->line = can + (store ? 1 : beats);
  d->beats += store ? 1 : beats;
  if (store)
    return true;
  d->open += beats;
  d->ring[d->transaction_answer[place]].served = can;
  settle_answers(d);
  *entered = false;
  return true;
}

/* Moves transactions onto the bus: the first two unserved ones with known cycles. */
static void enter_bus(struct sl_dram_events *d)
{
  for (unsigned j = d->unserved; j != d->count && j - d->unserved < 2; j++)
    if (at(d, j)->bus == SL_NEVER)
      at(d, j)->bus = sl_later(at(d, j)->put, at(d, j - 2)->served) + 1;
}

/* Computes all times that are known by now, given those of the answers so far and of the bus. `entered`: an answer has
 * entered since its times were computed. */
static void settle(struct sl_dram_events *d, bool entered)
{
  while (serve_one(d, &entered) || put_one(d, &entered))
    enter_bus(d);
  if (entered)
    settle_answers(d);
}

void sl_dram_events_put(struct sl_dram_events *d, const struct sl_dram_pass *pass, int64_t now)
{
  sl_response_copy(&d->pass.response, &pass->response);
  d->pass.beats = pass->beats;
  d->pass.store = pass->store;
  d->pass.updates = pass->updates;
  d->unput = pass->store ? pass->beats : pass->updates ? 1u + pass->beats : 1;
  d->earliest = now + 1;
  d->stage5 = SL_NEVER;
  /* No older transaction depends on the pass. */
  bool entered = false;
  if (!put_one(d, &entered))
    return;
  enter_bus(d);
  settle(d, entered);
}

struct sl_response sl_dram_events_take(struct sl_dram_events *d, int64_t now)
{
  const struct sl_dram_answer *a = answer_at(d, 0);
  d->open -= (unsigned)a->beats;
  d->head = (d->head + 1) % SL_DRAM_ANSWERS;
  d->answers--;
  d->taken = now;
  d->answer = SL_NEVER;
  settle_answers(d);
  settle(d, false);
  return a->response;
}

bool sl_dram_events_busy(const struct sl_dram_events *d, int64_t now)
{
  return d->answers > 0 || d->stage5 >= now || d->unserved != d->count || d->line > now;
}

uint64_t sl_dram_events_beats(const struct sl_dram_events *d, int64_t now)
{
  uint64_t beats = d->beats;
  for (unsigned i = 1; i <= SL_DRAM_TRANSACTIONS; i++) {
    const unsigned place = (d->unserved - i) % SL_DRAM_TRANSACTIONS;
    if (d->transaction[place].served < now)
      break;
    beats -= d->transaction_beats[place] & SL_DRAM_STORE ? 1 : d->transaction_beats[place] & (SL_DRAM_STORE - 1);
  }
  return beats;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(times_schema, struct sl_dram_transaction_times, NULL, SL_TIMES(put, bus, served));

static SL_SCHEMA(answer_schema, struct sl_dram_answer, NULL, SL_STRUCTS(sl_response_schema, response),
                 SL_TIMES(put, served, head, first), SL_MOST(SL_DRAM_MOST_BEATS, beats));

static SL_SCHEMA(pass_schema, struct sl_dram_pass, NULL, SL_STRUCTS(sl_response_schema, response),
                 SL_MOST(SL_DRAM_MOST_BEATS, beats), SL_ANY(store, updates));

static bool beats_valid(const struct sl_dram_events *d)
{
  bool valid = true;
  for (unsigned i = 0; i < SL_DRAM_TRANSACTIONS; i++)
    valid &= (d->transaction_beats[i] & ~SL_DRAM_STORE) <= SL_DRAM_MOST_BEATS;
  return valid;
}

SL_CHECKED_SCHEMA(sl_dram_events_schema, struct sl_dram_events,
                  beats_valid(self) && self->count - self->unserved <= SL_DRAM_ON_THE_WAY &&
                      (self->answers > 0 || self->answer == SL_NEVER),
                  SL_KEYS(latency, limit, in_flight_depth), SL_TIMES(answer, stage5, taken, earliest, put, line),
                  SL_STRUCTS(pass_schema, pass), SL_MOST(SL_DRAM_MOST_BEATS + 1, unput),
                  SL_ANY(count, unserved, transaction_beats, open, beats), SL_STRUCTS(times_schema, transaction),
                  SL_BELOW(SL_DRAM_ANSWERS, transaction_answer, head, answers), SL_STRUCTS(answer_schema, ring));
