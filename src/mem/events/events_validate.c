#include "mem/events/events_validate.h"

#include "mem/path_validate.h"

enum { SOON = 1 << 20 /* cycles: more than a full memory path takes, beyond the latency of DRAM */ };

/* A known time lies in the past or in the near future. */
static bool time_valid(int64_t time, int64_t now)
{
  return time == SL_NEVER || (time >= -SOON && time <= now + SOON);
}

static bool times_valid(const int64_t *time, size_t count, int64_t now)
{
  for (size_t i = 0; i < count; i++)
    if (!time_valid(time[i], now))
      return false;
  return true;
}

/* ---- scratchpad ------------------------------------------------------------------------------------------------- */

bool sl_scratchpad_events_valid(const struct sl_scratchpad_events *s, int64_t now, struct sl_shape shape)
{
  if (s->head >= SL_SCRATCHPAD_ANSWERS || s->count >= SL_SCRATCHPAD_ANSWERS || !time_valid(s->answer, now) ||
      !time_valid(s->taken, now) || (s->count == 0) != (s->answer == SL_NEVER))
    return false;
  for (unsigned i = 0; i < SL_SCRATCHPAD_ANSWERS; i++)
    if (!sl_response_valid(s->ring[i].response, shape) || !time_valid(s->ring[i].ready, now) ||
        !time_valid(s->ring[i].accumulated, now))
      return false;
  for (unsigned i = 0; i < 2; i++) {
    const struct sl_scratchpad_service *service = &s->latest[i];
    const int64_t times[] = {service->put, service->start, service->end};
    if (!times_valid(times, 3, now) || !sl_index_valid(service->answer, SL_SCRATCHPAD_ANSWERS))
      return false;
  }
  return true;
}

/* ---- DRAM ------------------------------------------------------------------------------------------------------- */

static bool answers_valid(const struct sl_dram_events *d, int64_t now, struct sl_shape shape)
{
  for (unsigned i = 0; i < SL_DRAM_ANSWERS; i++) {
    const struct sl_dram_answer *a = &d->ring[i];
    const int64_t times[] = {a->put, a->served, a->head, a->first};
    if (!sl_response_valid(a->response, shape) || a->beats > SL_DRAM_MOST_BEATS || !times_valid(times, 4, now))
      return false;
  }
  return d->head < SL_DRAM_ANSWERS && d->answers < SL_DRAM_ANSWERS && (d->answers > 0 || d->answer == SL_NEVER);
}

static bool transactions_valid(const struct sl_dram_events *d, int64_t now)
{
  for (unsigned i = 0; i < SL_DRAM_TRANSACTIONS; i++) {
    const struct sl_dram_transaction_times *t = &d->transaction[i];
    const int64_t times[] = {t->put, t->bus, t->served};
    if (!times_valid(times, 3, now) || d->transaction_answer[i] >= SL_DRAM_ANSWERS ||
        (d->transaction_beats[i] & ~SL_DRAM_STORE) > SL_DRAM_MOST_BEATS)
      return false;
  }
  return d->count - d->unserved <= SL_DRAM_ON_THE_WAY;
}

static bool dram_valid(const struct sl_dram_events *d, const struct sl_dram_events *live, int64_t now,
                       struct sl_shape shape)
{
  const int64_t by = now + (int64_t)live->latency,
                times[] = {d->answer, d->stage5, d->taken, d->earliest, d->put, d->line};
  return d->latency == live->latency && d->limit == live->limit && d->in_flight_depth == live->in_flight_depth &&
         times_valid(times, sizeof times / sizeof *times, by) && sl_bool_valid(&d->pass.store) &&
         sl_response_valid(d->pass.response, shape) && d->pass.beats <= SL_DRAM_MOST_BEATS &&
         d->unput <= SL_DRAM_MOST_BEATS && answers_valid(d, by, shape) && transactions_valid(d, by);
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

/* A request that waits for service has a pass that serves some of its pending lanes and no others. */
static bool waiting_valid(const struct sl_request *r)
{
  return r->pending != 0 && r->pass.lanes != 0 && (r->pass.lanes & ~r->pending) == 0;
}

/* Every request of the pool is in exactly one place: free, in the FIFO, or in a stage. */
static bool pool_valid(const struct sl_request_path *p, struct sl_shape shape)
{
  const unsigned size = p->spec.fifo_depth + SL_REQUEST_SPARE;
  bool seen[SL_REQUEST_POOL] = {false};
  unsigned found = 0;
  for (unsigned i = 0; i < p->free_count; i++, found++) {
    if (p->free[i] >= size || seen[p->free[i]])
      return false;
    seen[p->free[i]] = true;
  }
  for (unsigned i = 0; i < p->fifo_count + 4u; i++) {
    const int index = i < 4 ? sl_request_path_stage(p, i + 1) : p->fifo[(p->fifo_head + i - 4) % SL_REQUEST_FIFO_MAX];
    if (index == -1)
      continue;
    if (index >= (int)size || seen[index] || !waiting_valid(&p->pool[index]))
      return false;
    seen[index] = true;
    found++;
  }
  for (unsigned i = 0; i < size; i++)
    if (!sl_request_valid(&p->pool[i], shape) ||
        !SL_BOOLS_VALID(&p->pool[i].pass.scratchpad, &p->pool[i].pass.whole_block) ||
        p->pool[i].pass.beats > SL_DRAM_MOST_BEATS)
      return false;
  return found == size;
}

bool sl_request_path_valid(const struct sl_request_path *p, const struct sl_request_path *live, int64_t now,
                           struct sl_shape shape)
{
  const struct sl_coalescer_spec *a = &p->spec, *b = &live->spec;
  const bool same = a->lanes == b->lanes && a->beat_bytes == b->beat_bytes && a->fifo_depth == b->fifo_depth &&
                    a->in_flight_depth == b->in_flight_depth && a->stack_base == b->stack_base;
  return same && p->free_count <= SL_REQUEST_POOL && p->fifo_head < SL_REQUEST_FIFO_MAX &&
         p->fifo_count <= p->spec.fifo_depth && sl_cycle_valid(p->fifo_taken) &&
         time_valid(p->wake, now + (int64_t)live->dram.latency) && sl_bool_valid(&p->last_was_dram) &&
         times_valid(p->put, SL_REQUEST_FIFO_MAX, now) && pool_valid(p, shape) &&
         sl_scratchpad_events_valid(&p->scratchpad, now, shape) && dram_valid(&p->dram, &live->dram, now, shape);
}
