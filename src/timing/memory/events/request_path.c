#include "timing/memory/events/request_path.h"

#include <string.h>

#include "base/schema.h"

void sl_request_path_init(struct sl_request_path *p, const struct sl_coalescer_spec *spec, unsigned dram_latency,
                          unsigned dram_outstanding)
{
  const bool last_was_dram = p->last_was_dram;
  memset(p, 0, sizeof *p);
  p->spec = *spec;
  p->last_was_dram = last_was_dram;
  p->fifo_taken = SL_NEVER_DRAINED;
  p->free_count = (uint8_t)(spec->fifo_depth + SL_REQUEST_SPARE);
  for (uint8_t i = 0; i < p->free_count; i++)
    p->free[i] = i;
  sl_scratchpad_events_init(&p->scratchpad);
  sl_dram_events_init(&p->dram, dram_latency, dram_outstanding, spec->in_flight_depth);
}

void sl_request_path_put(struct sl_request_path *p, const struct sl_lane_ops *ops, int64_t now)
{
  const uint8_t index = p->free[--p->free_count];
  const unsigned place = (p->fifo_head + p->fifo_count++) % SL_REQUEST_FIFO_MAX;
  struct sl_request *r = &p->pool[index];
  p->fifo[place] = index;
  p->put[place] = now;
  sl_coalescer_choose(&p->spec, ops, r, &r->pass);
}

/* Number of lanes in a set, which is nearly always the full set. */
static inline unsigned lanes_in(const struct sl_request_path *p, sl_lanes lanes)
{
  return __builtin_expect(lanes == sl_low_bits(p->spec.lanes), 1) ? p->spec.lanes : sl_count(lanes);
}

/* ---- the merge --------------------------------------------------------------------------------------------------- */

struct sl_response sl_request_path_answer(struct sl_request_path *p, int64_t now)
{
  const bool dram = p->dram.answer < now;
  const bool take_scratchpad = p->scratchpad.answer < now && (!dram || p->last_was_dram);
  const struct sl_response response =
      take_scratchpad ? sl_scratchpad_events_take(&p->scratchpad, now) : sl_dram_events_take(&p->dram, now);
  p->answered += lanes_in(p, response.lanes);
  p->last_was_dram = !take_scratchpad;
  return response;
}

/* ---- stage 4 ----------------------------------------------------------------------------------------------------- */

/* Issues a pass of `beats` beats to stage 5. A pass without beats only takes its place in the order of answers. */
static void start_transaction(struct sl_request_path *p, const struct sl_request *r, enum sl_access access,
                              unsigned beats, int64_t now)
{
  const struct sl_dram_pass pass = {.response = sl_response(r->pass.lanes, r->warp, r->rd),
                                    .beats = (uint16_t)beats,
                                    .store = access == SL_ACCESS_STORE,
                                    .updates = access == SL_ACCESS_ATOMIC};
  sl_dram_events_put(&p->dram, &pass, now);
  p->passes += beats > 0;
}

/* Starts a pass that is not for the scratchpad. Returns whether the request must wait in stage 4, because a block of
 * the stack cache is written out first. */
static __attribute__((noinline)) bool start_pass(struct sl_request_path *p, struct sl_stack_cache *cache,
                                                 const struct sl_request *r, int64_t now)
{
  const uint32_t leader = r->address[sl_lowest(r->pending)];
  enum sl_stack_cache_action action = SL_STACK_CACHE_PASS;
  if (r->access == SL_ACCESS_LOAD) {
    p->stack_load_passes += leader >= p->spec.stack_base;
    action = cache->entries ? sl_stack_cache_load(cache, leader) : SL_STACK_CACHE_PASS;
  } else if (r->access != SL_ACCESS_FENCE && cache->entries) {
    const bool vector = r->access == SL_ACCESS_STORE && r->compressed && r->pass.whole_block;
    action = sl_stack_cache_store(cache, leader, vector);
  }
  switch (action) {
  case SL_STACK_CACHE_PASS: start_transaction(p, r, r->access, r->pass.beats, now); break;
  case SL_STACK_CACHE_HELD: break;
  case SL_STACK_CACHE_REPLACED:
  case SL_STACK_CACHE_WRITE_BACK:
    start_transaction(p, r, SL_ACCESS_STORE, sl_coalescer_block_beats(&p->spec), now);
    break;
  case SL_STACK_CACHE_ANSWERED: start_transaction(p, r, SL_ACCESS_LOAD, 0, now); break;
  }
  return action == SL_STACK_CACHE_WRITE_BACK;
}

static void start_scratchpad(struct sl_request_path *p, const struct sl_request *r, int64_t now)
{
  const unsigned words = sl_scratchpad_one_word(r) ? 1 : lanes_in(p, r->pass.lanes);
  const struct sl_scratchpad_request request = {sl_response(r->pass.lanes, r->warp, r->rd), r->scratchpad_passes,
                                                (uint16_t)words, r->responds};
  sl_scratchpad_events_put(&p->scratchpad, &request, now);
}

/* The request in stage 4 issues a pass. Returns whether it must stay. */
static bool hand_on(struct sl_request_path *p, struct sl_stack_cache *cache, const struct sl_request *r, int64_t now)
{
  if (r->pass.scratchpad) {
    if (!sl_scratchpad_events_can_put(&p->scratchpad, now))
      return true;
    start_scratchpad(p, r, now);
    return false;
  }
  return !sl_dram_events_can_put(&p->dram, now) || start_pass(p, cache, r, now);
}

/* The first cycle in which a request that must stay may proceed, as far as known. */
static int64_t room(const struct sl_request_path *p, const struct sl_request *r, int64_t now)
{
  const int64_t taken_until = r->pass.scratchpad ? p->scratchpad.latest[0].end : p->dram.stage5;
  return taken_until == SL_NEVER ? now + 1 : sl_later(taken_until, now) + 1;
}

/* ---- stages 3 to 0 ----------------------------------------------------------------------------------------------- */

/* While stage 4 stalls, a stage advances if its successor is free. */
static void close_up(struct sl_request_path *p, int64_t now)
{
  const uint32_t one = p->stages & 0xff, two = p->stages & 0xff00, three = p->stages & 0xff0000;
  uint32_t stages = p->stages & 0xff000000;
  stages |= three ? three : two << 8;
  stages |= !two ? one << 8 : three ? two : 0;
  stages |= one ? (two ? one : 0) : sl_request_path_take(p, now);
  p->stages = stages;
}

static bool packed(const struct sl_request_path *p)
{
  return (p->stages & 0xff) != 0 && (p->stages & 0xff00) != 0 && (p->stages & 0xff0000) != 0;
}

void sl_request_path_decide(struct sl_request_path *p, const struct sl_lane_ops *ops, struct sl_stack_cache *cache,
                            int64_t now)
{
  const uint32_t deciding = p->stages >> 24;
  struct sl_request *r = &p->pool[deciding - 1];
  if (hand_on(p, cache, r, now)) {
    close_up(p, now);
    p->wake = packed(p) ? room(p, r, now) : now + 1;
    return;
  }
  uint32_t entering;
  r->pending &= ~r->pass.lanes;
  if (r->pending) {
    entering = deciding;
    sl_coalescer_choose(&p->spec, ops, r, &r->pass);
  } else {
    p->free[p->free_count++] = (uint8_t)(deciding - 1);
    entering = sl_request_path_take(p, now);
  }
  p->stages = p->stages << 8 | entering;
}

/* ---- operations in flight
 * ------------------------------------------------------------------------------------------- */

int64_t sl_request_path_next_event(const struct sl_request_path *p, int64_t now)
{
  if (p->stages != 0)
    return now;
  const int64_t taken = p->fifo_count > 0 ? p->put[p->fifo_head] + 1 : SL_NEVER;
  return sl_later(sl_sooner(taken, sl_sooner(p->scratchpad.answer, p->dram.answer) + 1), now);
}

bool sl_request_path_busy(const struct sl_request_path *p, int64_t now)
{
  return p->stages != 0 || p->fifo_count > 0 || sl_scratchpad_events_busy(&p->scratchpad, now) ||
         sl_dram_events_busy(&p->dram, now);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* A request that waits for service has a pass that serves some of its pending lanes and no others. */
static bool waiting_valid(const struct sl_request *r)
{
  return r->pending != 0 && r->pass.lanes != 0 && (r->pass.lanes & ~r->pending) == 0;
}

/* Every request of the pool is in exactly one place: free, in the FIFO, or in a stage. */
static bool pool_valid(const struct sl_request_path *p)
{
  const unsigned size = p->spec.fifo_depth + SL_REQUEST_SPARE;
  uint64_t seen[(SL_REQUEST_POOL + 63) / 64] = {0};
  unsigned found = 0;
  bool valid = p->fifo_count <= p->spec.fifo_depth;
  for (; valid && found < p->free_count; found++)
    valid = sl_once(seen, p->free[found], size);
  for (unsigned i = 0; valid && i < p->fifo_count + 4u; i++) {
    const int index = i < 4 ? sl_request_path_stage(p, i + 1) : p->fifo[(p->fifo_head + i - 4) % SL_REQUEST_FIFO_MAX];
    valid = index == -1 || (sl_once(seen, (size_t)index, size) && waiting_valid(&p->pool[index]));
    found += index != -1;
  }
  return valid && found == size;
}

SL_CHECKED_SCHEMA(sl_request_path_schema, struct sl_request_path, pool_valid(self),
                  SL_STRUCTS(sl_coalescer_spec_schema, spec),
                  SL_ANY(stages, last_was_dram, passes, stack_load_passes, answered), SL_TIMES(wake, put),
                  SL_BELOW(SL_REQUEST_FIFO_MAX, fifo_head), SL_MOST(SL_REQUEST_FIFO_MAX, fifo_count),
                  SL_MOST(SL_REQUEST_POOL, free_count), SL_CYCLES(fifo_taken),
                  SL_STRUCTS(sl_scratchpad_events_schema, scratchpad), SL_STRUCTS(sl_dram_events_schema, dram),
                  SL_ANY(free, fifo), SL_STRUCTS(sl_request_schema, pool));
