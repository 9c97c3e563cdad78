#include "timing/memory/coalescer.h"

#include <string.h>

#include "base/schema.h"

/* Number of beats for `bytes`. */
static unsigned beats_of(const struct sl_coalescer_spec *spec, unsigned bytes)
{
  return bytes > spec->beat_bytes ? bytes / spec->beat_bytes : 1;
}

unsigned sl_coalescer_block_beats(const struct sl_coalescer_spec *spec)
{
  return beats_of(spec, spec->lanes * 4);
}

/* The same-block strategy in the mode of `unit` bytes per lane: lanes l at block + l * unit, with the leader's offset
 * in the unit. */
static sl_lanes same_block(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                           const struct sl_request *r, uint32_t leader, unsigned unit)
{
  uint32_t block = leader & ~(spec->lanes * unit - 1);
  return r->pending & ops->strided(r->address, block + (leader & (unit - 1)), unit, spec->lanes);
}

void sl_coalescer_choose_any(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                             const struct sl_request *r, struct sl_selection *pass)
{
  const unsigned lanes = spec->lanes, lead = sl_lowest(r->pending);
  const sl_lanes leader = sl_bit(lead);
  const uint32_t address = r->address[lead];
  if (r->scratchpad & leader) {
    sl_coalescer_set(pass, r->pending & r->scratchpad, 0, true, false);
    return;
  }
  const bool one_by_one = r->access == SL_ACCESS_ATOMIC;
  if (r->pattern == SL_PATTERN_SAME) {
    sl_coalescer_set(pass, one_by_one ? leader : r->pending, 1, false, false);
    return;
  }
  if (r->pattern == SL_PATTERN_BLOCK && r->pending != leader) {
    sl_coalescer_set(pass, r->pending, beats_of(spec, lanes * r->width), false,
                     r->width == 4 && r->pending == sl_low_bits(lanes));
    return;
  }

  /* In a word access, the leader always matches itself in word mode. Other accesses use that mode if it serves the
   * leader and another lane. */
  unsigned unit = 4;
  sl_lanes block = same_block(spec, ops, r, address, unit);
  if (r->width != 4 && !((block & leader) && (block & ~leader))) {
    unit = r->width;
    block = same_block(spec, ops, r, address, unit);
  }
  if ((block & leader) && (block & ~leader))
    sl_coalescer_set(pass, block, beats_of(spec, lanes * unit), false, r->width == 4 && block == sl_low_bits(lanes));
  else
    sl_coalescer_set(pass, one_by_one ? leader : r->pending & ops->equal(r->address, address, lanes), 1, false, false);
}

struct sl_selection sl_coalescer_select(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                                        const struct sl_request *r)
{
  struct sl_selection pass;
  sl_coalescer_choose_any(spec, ops, r, &pass);
  return pass;
}

static SL_SCHEMA(selection_schema, struct sl_selection, NULL, SL_ANY(lanes, scratchpad, whole_block),
                 SL_MOST(SL_DRAM_MOST_BEATS, beats));

SL_SCHEMA(sl_request_schema, struct sl_request, NULL,
          SL_ANY(address, scratchpad_passes, instruction, responds, compressed), SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp),
          SL_BELOW(32, rd), SL_MOST(4, width), SL_SET_OF(SL_LIMIT_ALL_LANES, pending, scratchpad),
          SL_MOST(SL_ACCESS_FENCE, access), SL_MOST(SL_PATTERN_BLOCK, pattern), SL_STRUCTS(selection_schema, pass));

SL_SCHEMA(sl_coalescer_spec_schema, struct sl_coalescer_spec, NULL,
          SL_KEYS(lanes, beat_bytes, fifo_depth, in_flight_depth, stack_base));

/* ---- compressed stack cache ------------------------------------------------------------------------------------ */

void sl_stack_cache_init(struct sl_stack_cache *c, unsigned entries, unsigned block_bits, uint32_t stack_base)
{
  memset(c, 0, sizeof *c);
  c->entries = entries;
  c->block_bits = block_bits;
  c->stack_base = stack_base;
}

static uint32_t *entry(struct sl_stack_cache *c, uint32_t block)
{
  return &c->block[block & (c->entries - 1)];
}

enum sl_stack_cache_action sl_stack_cache_load(struct sl_stack_cache *c, uint32_t address)
{
  const uint32_t block = address >> c->block_bits;
  if (address < c->stack_base)
    return SL_STACK_CACHE_PASS;
  if (*entry(c, block) != block) {
    c->misses++;
    return SL_STACK_CACHE_PASS;
  }
  c->hits++;
  return SL_STACK_CACHE_ANSWERED;
}

enum sl_stack_cache_action sl_stack_cache_store(struct sl_stack_cache *c, uint32_t address, bool compressed)
{
  const uint32_t block = address >> c->block_bits;
  if (address < c->stack_base)
    return SL_STACK_CACHE_PASS;
  uint32_t *held = entry(c, block);
  const uint32_t before = *held;
  if (compressed) {
    *held = block;
    return before == 0 || before == block ? SL_STACK_CACHE_HELD : SL_STACK_CACHE_REPLACED;
  }
  if (before != block)
    return SL_STACK_CACHE_PASS;
  *held = 0;
  return SL_STACK_CACHE_WRITE_BACK;
}

SL_SCHEMA(sl_stack_cache_schema, struct sl_stack_cache, NULL, SL_KEYS(entries, block_bits, stack_base),
          SL_ANY(hits, misses, block));

/* ---- the path of requests, by events ----------------------------------------------------------------------------- */

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

/* ---- the merge --------------------------------------------------------------------------------------------------- */

struct sl_response sl_request_path_answer(struct sl_request_path *p, int64_t now)
{
  const bool dram = p->dram.answer < now;
  const bool take_scratchpad = p->scratchpad.answer < now && (!dram || p->last_was_dram);
  const struct sl_response response =
      take_scratchpad ? sl_scratchpad_events_take(&p->scratchpad, now) : sl_dram_events_take(&p->dram, now);
  p->answered += sl_request_path_lanes_in(p, response.lanes);
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

/* The request in stage 4 issues a pass. Returns whether it must stay. */
static bool hand_on(struct sl_request_path *p, struct sl_stack_cache *cache, const struct sl_request *r, int64_t now)
{
  if (r->pass.scratchpad) {
    if (!sl_scratchpad_events_can_put(&p->scratchpad, now))
      return true;
    sl_request_path_start_scratchpad(p, r, now);
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

/* ---- DRAM and the coalescing unit's stages 5 and 6 ------------------------------------------------------------- */

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
static int64_t bus_room(struct sl_dram_events *d)
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
  const int64_t can = sl_later(sl_later(at(d, d->count - 1)->bus, d->put + 1), bus_room(d));
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
