#include "stepped_coalescer.h"

#include <string.h>

void sl_coalescer_init(struct sl_coalescer *c, const struct sl_coalescer_spec *spec)
{
  memset(c, 0, sizeof *c);
  c->spec = *spec;
  c->fifo_taken = c->in_flight_drained = c->response.drained = SL_NEVER_DRAINED;
  for (unsigned s = 0; s < 5; s++)
    c->stage[s] = -1;
  c->free_count = (uint8_t)(spec->fifo_depth + SL_REQUEST_SPARE);
  for (uint8_t i = 0; i < c->free_count; i++)
    c->free[i] = i;
}

void sl_coalescer_put(struct sl_coalescer *c)
{
  uint8_t index = c->free[--c->free_count];
  c->fifo[(c->fifo_head + c->fifo_count++) % SL_REQUEST_FIFO_MAX] = index;
  c->active = true;
}

/* Stage 6: takes one beat per cycle, then hands the assembled vector over. */
static bool assemble(struct sl_coalescer *c, struct sl_dram *dram, int64_t now)
{
  if (c->assembled || (c->head_ready && c->head.beats == 0)) {
    if (sl_shift_can_put(&c->response, now)) {
      sl_shift_put(&c->response, c->head.response);
      c->head_ready = c->assembled = false;
    }
    return false;
  }
  if (!dram->beat_ready || !c->head_ready)
    return false;
  dram->beat_ready = false;
  if (++c->beats_taken == c->head.beats) {
    c->beats_taken = 0;
    c->assembled = true;
  }
  return true;
}

bool sl_coalescer_respond(struct sl_coalescer *c, struct sl_dram *dram, int64_t now)
{
  bool taken = assemble(c, dram, now);
  if (!c->head_ready && c->in_flight_count > 0) {
    c->head = c->in_flight[c->in_flight_head];
    c->in_flight_head = (uint8_t)((c->in_flight_head + 1) % SL_IN_FLIGHT_MAX);
    c->in_flight_count--;
    c->in_flight_drained = now;
    c->head_ready = true;
  }
  return taken;
}

/* Stage 5: sends a transaction to the bus. Loads and fences then await their answer. */
static void issue(struct sl_coalescer *c, struct sl_dram *dram, bool in_flight_room)
{
  if (!c->issue_full || !in_flight_room || !sl_dram_can_put(dram))
    return;
  if (c->issue_beats > 0)
    sl_dram_put(dram, sl_dram_transaction(c->issue_store, c->issue_beats));
  if (c->issue_store) {
    c->issue_full = ++c->issue_sent < c->issue_beats;
  } else {
    c->in_flight[(c->in_flight_head + c->in_flight_count++) % SL_IN_FLIGHT_MAX] = c->issue;
    c->issue_full = c->issue_store = c->issue_updates;
  }
}

/* Stage 4 issues a pass of `beats` beats to stage 5. A pass without beats only takes its place in the order of
 * answers. */
static void start_transaction(struct sl_coalescer *c, const struct sl_request *r, enum sl_access access, unsigned beats)
{
  c->issue_full = true;
  c->issue_store = access == SL_ACCESS_STORE;
  c->issue_updates = access == SL_ACCESS_ATOMIC;
  c->issue_beats = beats;
  c->issue_sent = 0;
  c->issue = (struct sl_in_flight){sl_response(c->selection.lanes, r->warp, r->rd), beats};
  c->passes += beats > 0;
}

/* Starts a pass that is not for the scratchpad. Returns whether the request must wait in stage 4, because a block of
 * the stack cache is written out first. */
static bool start_pass(struct sl_coalescer *c, struct sl_stack_cache *cache, const struct sl_request *r)
{
  const uint32_t leader = r->address[sl_lowest(r->pending)];
  const unsigned block_beats = sl_coalescer_block_beats(&c->spec);
  enum sl_stack_cache_action action = SL_STACK_CACHE_PASS;
  if (r->access == SL_ACCESS_LOAD) {
    c->stack_load_passes += leader >= c->spec.stack_base;
    action = cache->entries ? sl_stack_cache_load(cache, leader) : SL_STACK_CACHE_PASS;
  } else if (r->access != SL_ACCESS_FENCE && cache->entries) {
    const bool vector = r->access == SL_ACCESS_STORE && r->compressed && c->selection.whole_block;
    action = sl_stack_cache_store(cache, leader, vector);
  }
  switch (action) {
  case SL_STACK_CACHE_PASS: start_transaction(c, r, r->access, c->selection.beats); break;
  case SL_STACK_CACHE_HELD: break;
  case SL_STACK_CACHE_REPLACED:
  case SL_STACK_CACHE_WRITE_BACK: start_transaction(c, r, SL_ACCESS_STORE, block_beats); break;
  case SL_STACK_CACHE_ANSWERED: start_transaction(c, r, SL_ACCESS_LOAD, 0); break;
  }
  return action == SL_STACK_CACHE_WRITE_BACK;
}

static void start_scratchpad(struct sl_scratchpad *scratchpad, const struct sl_request *r, sl_lanes lanes, int64_t now)
{
  sl_scratchpad_put(scratchpad,
                    (struct sl_scratchpad_request){sl_response(lanes, r->warp, r->rd), r->scratchpad_passes,
                                                   sl_scratchpad_words(r, lanes), r->responds},
                    now);
}

/* Stage 4: returns whether it stalls. *fed_back is the request whose remaining lanes return to stage 1, or -1. */
static bool decide(struct sl_coalescer *c, struct sl_scratchpad *scratchpad, struct sl_stack_cache *cache,
                   bool issue_was_full, int16_t *fed_back, int64_t now)
{
  *fed_back = -1;
  if (c->stage[4] < 0)
    return false;
  struct sl_request *r = &c->pool[c->stage[4]];
  if (c->selection.scratchpad ? !sl_scratchpad_can_put(scratchpad, now) : issue_was_full)
    return true;
  if (c->selection.scratchpad)
    start_scratchpad(scratchpad, r, c->selection.lanes, now);
  else if (start_pass(c, cache, r))
    return true;
  r->pending &= ~c->selection.lanes;
  if (r->pending)
    *fed_back = c->stage[4];
  else
    c->free[c->free_count++] = (uint8_t)c->stage[4];
  c->stage[4] = -1;
  return false;
}

/* Stage 0 takes the oldest request of the FIFO. */
static int16_t take(struct sl_coalescer *c, int64_t now)
{
  const int16_t taken = c->fifo[c->fifo_head];
  c->fifo_head = (uint8_t)((c->fifo_head + 1) % SL_REQUEST_FIFO_MAX);
  c->fifo_count--;
  c->fifo_taken = now;
  return taken;
}

/* Advances stages 3 to 0, when stage 4 is free. */
static void advance(struct sl_coalescer *c, const struct sl_lane_ops *ops, int16_t fed_back, int64_t now)
{
  int16_t *stage = c->stage;
  if (stage[3] >= 0)
    c->selection = sl_coalescer_select(&c->spec, ops, &c->pool[stage[3]]);
  memmove(&stage[2], &stage[1], 3 * sizeof *stage);
  stage[1] = fed_back >= 0 || c->fifo_count == 0 ? fed_back : take(c, now);
}

/* Advances them while stage 4 stalls: each stage whose successor is free. */
static void close_up(struct sl_coalescer *c, int64_t now)
{
  int16_t *stage = c->stage;
  const bool full3 = stage[3] >= 0, full2 = stage[2] >= 0, full1 = stage[1] >= 0;
  if (full2 && !full3) {
    stage[3] = stage[2];
    stage[2] = -1;
  }
  if (full1 && !full2) {
    stage[2] = stage[1];
    stage[1] = -1;
  }
  if (c->fifo_count > 0 && !full1)
    stage[1] = take(c, now);
}

void sl_coalescer_cycle(struct sl_coalescer *c, const struct sl_lane_ops *ops, struct sl_dram *dram,
                        struct sl_scratchpad *scratchpad, struct sl_stack_cache *cache, int64_t now)
{
  const bool issue_was_full = c->issue_full;
  /* The in-flight queue's fullness is a register; its head may have left earlier in this cycle. */
  const bool room = c->in_flight_count + (c->in_flight_drained == now) < (int)c->spec.in_flight_depth;
  issue(c, dram, room);
  int16_t fed_back;
  if (decide(c, scratchpad, cache, issue_was_full, &fed_back, now))
    close_up(c, now);
  else
    advance(c, ops, fed_back, now);
  /* An empty stage is -1: the AND is negative if all stages are empty. */
  c->active = c->fifo_count > 0 || c->issue_full || (c->stage[1] & c->stage[2] & c->stage[3] & c->stage[4]) >= 0;
}
