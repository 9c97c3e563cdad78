/* The event-driven memory path compared with the cycle-stepped reference model: random requests of all kinds, in bursts
 * and alone, on machines of random depths, with answers that wait for no, some or many cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "stepped_coalescer.h"
#include "timing/memory/coalescer.h"

enum { MOST_LANES = 32, STACKS = 0xc0000000 };

/* The reference model, connected. */
struct reference {
  struct sl_coalescer coalescer;
  struct sl_dram dram;
  struct sl_scratchpad scratchpad;
  struct sl_stack_cache cache;
  struct sl_pipeline_queue answer;
  bool last_was_dram;
};

struct bench {
  struct reference reference;
  struct sl_request_path path;
  struct sl_stack_cache cache;
  struct sl_pipeline_queue answer; /* of the event-driven path */
  const struct sl_lane_ops *ops;
  unsigned lanes;
  int64_t now;
  uint64_t random;
};

static unsigned below(struct bench *t, unsigned n)
{
  return random_below(&t->random, n);
}

static struct bench *make_bench(void)
{
  struct bench *t = aligned_alloc(SL_CACHE_LINE, sizeof *t);
  assert_non_null(t);
  memset(t, 0, sizeof *t);
  t->random = 1;
  return t;
}

static void event_cycle(struct bench *t)
{
  if (!t->answer.full && sl_request_path_can_answer(&t->path, t->now))
    sl_pipeline_put(&t->answer, sl_request_path_answer(&t->path, t->now));
  sl_request_path_cycle(&t->path, t->ops, &t->cache, t->now);
}

static void box_cycle(struct bench *t)
{
  struct reference *b = &t->reference;
  struct sl_shift_queue *dram = &b->coalescer.response, *scratchpad = &b->scratchpad.response;
  const bool take_scratchpad = scratchpad->full && (!dram->full || b->last_was_dram);
  if (!b->answer.full && (take_scratchpad || dram->full)) {
    sl_pipeline_put(&b->answer, sl_shift_take(take_scratchpad ? scratchpad : dram, t->now));
    b->last_was_dram = !take_scratchpad;
  }
  const bool taken = sl_coalescer_respond(&b->coalescer, &b->dram, t->now);
  sl_dram_cycle(&b->dram, t->now, taken);
  sl_scratchpad_cycle(&b->scratchpad, t->now);
  sl_coalescer_cycle(&b->coalescer, t->ops, &b->dram, &b->scratchpad, &b->cache, t->now);
}

static void init(struct bench *t)
{
  static const unsigned lanes[] = {4, 16, 32}, latencies[] = {1, 2, 30, 300};
  t->lanes = lanes[below(t, 3)];
  t->ops = sl_lane_ops(t->lanes);
  const struct sl_coalescer_spec spec = {.lanes = t->lanes,
                                         .beat_bytes = 4u << below(t, 7),
                                         .fifo_depth = 1 + below(t, below(t, 2) ? 4 : 64),
                                         .in_flight_depth = 1 + below(t, below(t, 2) ? 4 : 64),
                                         .stack_base = STACKS};
  const unsigned most = spec.lanes * 4 > spec.beat_bytes ? spec.lanes * 4 / spec.beat_bytes : 1;
  const unsigned latency = latencies[below(t, 4)], limit = most + below(t, below(t, 2) ? 4 : 64);
  memset(t->reference.coalescer.pool, 0, sizeof t->reference.coalescer.pool);
  sl_coalescer_init(&t->reference.coalescer, &spec);
  sl_dram_init(&t->reference.dram, latency, limit);
  sl_scratchpad_init(&t->reference.scratchpad);
  sl_request_path_init(&t->path, &spec, latency, limit);
  const unsigned entries = below(t, 2) ? 4 : 0;
  sl_stack_cache_init(&t->reference.cache, entries, sl_log2(t->lanes * 4), STACKS);
  sl_stack_cache_init(&t->cache, entries, sl_log2(t->lanes * 4), STACKS);
  t->reference.answer.full = t->answer.full = false;
  t->path.last_was_dram = t->reference.last_was_dram;
  t->now = 0;
}

static void random_addresses(struct bench *t, struct sl_request *r)
{
  const uint32_t base = (below(t, 2) ? STACKS : 0x1000) + below(t, 8) * 128, kind = below(t, 4);
  r->pattern = SL_PATTERN_ANY;
  for (unsigned l = 0; l < t->lanes; l++)
    r->address[l] = kind == 0   ? base
                    : kind == 1 ? base + l * r->width
                    : kind == 2 ? base + (l / 4) * 1024 + l * 4
                                : base + below(t, 64) * r->width;
  if (kind == 0)
    r->pattern = SL_PATTERN_SAME;
  else if (kind == 1 && (base & (t->lanes * r->width - 1)) == 0)
    r->pattern = SL_PATTERN_BLOCK;
}

/* A request as a warp's access makes it. */
static void random_request(struct bench *t, struct sl_request *r)
{
  const sl_lanes all = sl_low_bits(t->lanes);
  memset(r, 0, sizeof *r);
  r->pending = below(t, 2) ? all : (random32(&t->random) & all) | 1;
  r->warp = (uint8_t)below(t, 64);
  r->rd = (uint8_t)below(t, 32);
  r->width = (uint8_t)(1u << below(t, 3));
  r->scratchpad = below(t, 3) == 0 ? 0 : below(t, 4) == 0 ? random32(&t->random) & r->pending : r->pending;
  r->scratchpad_passes = (uint8_t)(1 + below(t, below(t, 2) ? 2 : 32));
  r->access = below(t, 2) ? SL_ACCESS_LOAD : below(t, 4) ? SL_ACCESS_STORE : SL_ACCESS_ATOMIC;
  if (r->access == SL_ACCESS_ATOMIC)
    r->width = 4;
  r->responds =
      r->access == SL_ACCESS_LOAD || (r->access == SL_ACCESS_ATOMIC && (r->scratchpad != r->pending || below(t, 2)));
  r->compressed = below(t, 2);
  random_addresses(t, r);
  if (r->scratchpad != 0 && r->scratchpad != r->pending)
    r->pattern = SL_PATTERN_ANY;
}

static void put(struct bench *t)
{
  struct sl_request *r = sl_request_path_next(&t->path), *copy = sl_coalescer_next(&t->reference.coalescer);
  random_request(t, r);
  *copy = *r;
  sl_request_path_put(&t->path, t->ops, t->now);
  sl_coalescer_put(&t->reference.coalescer);
}

static void compare(const struct bench *t)
{
  const struct reference *b = &t->reference;
  const struct sl_request_path *p = &t->path;
  assert_int_equal(b->answer.full, t->answer.full);
  if (t->answer.full) {
    assert_int_equal(b->answer.item.lanes, t->answer.item.lanes);
    assert_int_equal(b->answer.item.tag, t->answer.item.tag);
  }
  assert_int_equal(sl_coalescer_can_put(&b->coalescer, t->now), sl_request_path_can_put(p, t->now));
  assert_int_equal(b->coalescer.passes, p->passes);
  assert_int_equal(b->coalescer.stack_load_passes, p->stack_load_passes);
  assert_int_equal(b->dram.beats, sl_dram_events_beats(&p->dram, t->now + 1));
  const struct sl_scratchpad_counts counts = sl_scratchpad_events_counts(&p->scratchpad, t->now + 1);
  assert_int_equal(b->scratchpad.requests, counts.requests);
  assert_int_equal(b->scratchpad.passes, counts.passes);
  assert_int_equal(b->scratchpad.words, counts.words);
  const bool busy = b->coalescer.active || b->coalescer.assembled || sl_coalescer_responding(&b->coalescer) ||
                    b->dram.active || b->dram.in_flight > 0 || b->scratchpad.active || b->scratchpad.response.full ||
                    b->answer.full;
  assert_int_equal(busy, t->answer.full || sl_request_path_busy(p, t->now + 1));
}

/* Puts with a probability of 1 / `rarely` per cycle, takes with 1 / `slowly`; both change now and then. */
static void run(struct bench *t, unsigned cycles)
{
  unsigned rarely = 1, slowly = 1;
  for (unsigned i = 0; i < cycles; i++, t->now++) {
    if (below(t, 64) == 0)
      rarely = 1u << below(t, 7), slowly = below(t, 4) ? 1 : 1u << below(t, 6);
    if (t->answer.full && below(t, slowly) == 0)
      t->answer.full = t->reference.answer.full = false;
    box_cycle(t);
    event_cycle(t);
    compare(t);
    if (below(t, rarely) == 0 && sl_request_path_can_put(&t->path, t->now))
      put(t);
  }
}

static void events_equal_the_reference_model(void **state)
{
  (void)state;
  struct bench *t = make_bench();
  const unsigned rounds = getenv("SIMTLAB_BRIEF") && *getenv("SIMTLAB_BRIEF") ? 20 : 200;
  for (unsigned round = 0; round < rounds; round++) {
    init(t);
    run(t, 5000);
  }
  free(t);
}

/* Two loads by warp 1 from DRAM and two by warp 2 from the scratchpad; answers are taken when all are there. */
static void the_merge_is_fair_and_waits_for_its_register(void **state)
{
  (void)state;
  static const unsigned expected[] = {2, 1, 2, 1}; /* the scratchpad's arrived first, without competition */
  struct bench *t = make_bench();
  const struct sl_coalescer_spec spec = {
      .lanes = 32, .beat_bytes = 64, .fifo_depth = 32, .in_flight_depth = 32, .stack_base = STACKS};
  t->lanes = 32;
  t->ops = sl_lane_ops(32);
  sl_request_path_init(&t->path, &spec, 30, 32);
  for (unsigned i = 0; i < 4; i++) {
    struct sl_request *r = sl_request_path_next(&t->path);
    *r = (struct sl_request){.pending = UINT32_MAX,
                             .scratchpad = i & 1 ? UINT32_MAX : 0,
                             .warp = (uint8_t)(1 + (i & 1)),
                             .width = 4,
                             .scratchpad_passes = 1,
                             .access = SL_ACCESS_LOAD,
                             .pattern = SL_PATTERN_SAME,
                             .responds = true};
    sl_request_path_put(&t->path, t->ops, i);
  }
  for (t->now = 4; t->now < 200; t->now++)
    event_cycle(t);
  for (unsigned i = 0; i < 4; i++) {
    assert_true(t->answer.full);
    assert_int_equal(sl_response_warp(t->answer.item), expected[i]);
    t->answer.full = false;
    event_cycle(t);
    t->now++;
  }
  free(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_equal_the_reference_model),
      cmocka_unit_test(the_merge_is_fair_and_waits_for_its_register),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
