#include "mem/path_sound.h"

bool sl_request_sound(const struct sl_request *r, struct sl_shape shape)
{
  return r->warp < shape.warps && r->rd < 32 && r->width <= 4 && ((r->pending | r->scratchpad) & ~shape.lanes) == 0 &&
         (unsigned)r->access <= SL_ACCESS_FENCE && (unsigned)r->pattern <= SL_PATTERN_BLOCK &&
         SL_BOOLS_SOUND(&r->responds, &r->compressed);
}

/* ---- coalescing unit -------------------------------------------------------------------------------------------- */

/* Every request of the pool is in one place: free, in the FIFO, or in a stage; where it is to be served, it has lanes.
 */
static bool pool_sound(const struct sl_coalescer *c, struct sl_shape shape)
{
  const unsigned size = c->spec.fifo_depth + SL_REQUEST_SPARE;
  bool seen[SL_REQUEST_POOL] = {false};
  unsigned found = 0;
  for (unsigned i = 0; i < c->free_count; i++, found++) {
    if (c->free[i] >= size || seen[c->free[i]])
      return false;
    seen[c->free[i]] = true;
  }
  for (unsigned i = 0; i < c->fifo_count + 4u; i++) {
    const int index = i < 4 ? c->stage[i + 1] : c->fifo[(c->fifo_head + i - 4) % SL_REQUEST_FIFO_MAX];
    if (index == -1 && i < 4)
      continue;
    if (index < 0 || index >= (int)size || seen[index] || c->pool[index].pending == 0)
      return false;
    seen[index] = true;
    found++;
  }
  for (unsigned i = 0; i < size; i++)
    if (!sl_request_sound(&c->pool[i], shape))
      return false;
  return found == size;
}

static bool in_flight_sound(const struct sl_in_flight *f, unsigned beats, struct sl_shape shape)
{
  return sl_response_sound(f->response, shape) && f->beats <= beats;
}

static bool answers_sound(const struct sl_coalescer *c, struct sl_shape shape)
{
  const unsigned beats = c->spec.lanes * 4; /* of one byte each, at most */
  for (unsigned i = 0; i < SL_IN_FLIGHT_MAX; i++)
    if (!in_flight_sound(&c->in_flight[i], beats, shape))
      return false;
  return in_flight_sound(&c->issue, beats, shape) && in_flight_sound(&c->head, beats, shape) &&
         c->issue_beats <= beats && c->issue_sent <= beats && c->beats_taken <= beats &&
         c->in_flight_head < SL_IN_FLIGHT_MAX && c->in_flight_count <= c->spec.in_flight_depth &&
         sl_cycle_sound(c->in_flight_drained) && sl_shift_queue_sound(&c->response, shape);
}

bool sl_coalescer_sound(const struct sl_coalescer *c, const struct sl_coalescer_spec *spec, struct sl_shape shape)
{
  const bool same = c->spec.lanes == spec->lanes && c->spec.beat_bytes == spec->beat_bytes &&
                    c->spec.fifo_depth == spec->fifo_depth && c->spec.in_flight_depth == spec->in_flight_depth &&
                    c->spec.stack_base == spec->stack_base;
  if (!same || c->free_count > SL_REQUEST_POOL || c->fifo_head >= SL_REQUEST_FIFO_MAX ||
      c->fifo_count > c->spec.fifo_depth || !sl_cycle_sound(c->fifo_taken))
    return false;
  if (!SL_BOOLS_SOUND(&c->active, &c->selection.scratchpad, &c->selection.whole_block, &c->issue_full, &c->issue_store,
                      &c->head_ready, &c->assembled))
    return false;
  if ((c->selection.lanes & ~shape.lanes) != 0 || c->selection.beats > c->spec.lanes * 4)
    return false;
  return pool_sound(c, shape) && answers_sound(c, shape);
}

/* ---- DRAM ------------------------------------------------------------------------------------------------------- */

/* The beats under way come one by one, and soon. */
static bool beats_sound(const struct sl_dram *d, int64_t now)
{
  int64_t last = now - 1;
  if (d->in_flight > SL_DRAM_MAX_OUTSTANDING || d->next >= SL_DRAM_MAX_OUTSTANDING)
    return false;
  for (unsigned i = 0; i < d->in_flight; i++) {
    const int64_t valid = d->valid[(d->next + i) % SL_DRAM_MAX_OUTSTANDING];
    if (valid <= last || valid > now + (int64_t)d->latency)
      return false;
    last = valid;
  }
  return true;
}

bool sl_dram_sound(const struct sl_dram *d, unsigned latency, unsigned limit, int64_t now)
{
  const bool started = d->latency == latency && d->limit == limit;
  return (started || (d->latency == 0 && d->limit == 0)) && sl_cycle_sound(d->bus_drained) && d->bus_count <= 2 &&
         d->outstanding <= limit && d->waiting <= SL_DRAM_MAX_OUTSTANDING &&
         SL_BOOLS_SOUND(&d->active, &d->request_full, &d->reading, &d->beat_ready) && beats_sound(d, now);
}

/* ---- scratchpad ------------------------------------------------------------------------------------------------- */

bool sl_scratchpad_sound(const struct sl_scratchpad *s, struct sl_shape shape)
{
  const unsigned stages = ((1u << SL_SCRATCHPAD_STAGES) - 1) << 1;
  if (!SL_BOOLS_SOUND(&s->active, &s->respond) || s->queued > 2 || !sl_cycle_sound(s->queue_drained))
    return false;
  for (unsigned i = 0; i < 2; i++)
    if (!sl_cycle_sound(s->queue_entered[i]) || !sl_response_sound(s->queue[i].response, shape) ||
        s->queue[i].responds > 1)
      return false;
  return ((s->full | s->last | s->responds) & ~stages) == 0 && s->passes_done <= UINT16_MAX &&
         sl_responses_sound(s->ring, SL_SCRATCHPAD_RING, shape) && sl_response_sound(s->accumulated, shape) &&
         sl_shift_queue_sound(&s->response, shape);
}

/* ---- stack cache ------------------------------------------------------------------------------------------------ */

bool sl_stack_cache_sound(const struct sl_stack_cache *c, const struct sl_stack_cache *live)
{
  return c->entries == live->entries && c->block_bits == live->block_bits && c->stack_base == live->stack_base;
}
