/* The coalescing unit with a stack cache in its stages 3 and 4 (specification, section 11), cycle by cycle.
 *
 * Relative to the execute cycle e: stage 4 acts in e+5, stage 5 in e+6 = c. From then on a load that hits has an entry
 * in the in-order queue. It reaches the head in c+2 = e+8 and is handed over in that cycle; the merge finds it in e+9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory_path.h"

enum { ENTRIES = 2048, BLOCK = 128 };

#define OTHER (STACKS + ENTRIES * BLOCK) /* another block with the same index */
#define DRAM UINT32_C(0x90000000)

static struct bench *make(unsigned entries)
{
  struct bench *b = make_bench(32, 32);
  sl_stack_cache_init(&b->cache, entries, 7, STACKS);
  return b;
}

/* The request of an instruction that executes in a cycle: lane l accesses address + l * stride. */
static struct sl_request *put_at(struct bench *b, int64_t e, enum sl_access access, uint32_t address, uint32_t stride)
{
  run(b, e + 1 - b->now);
  struct sl_request *r = sl_coalescer_next(&b->c);
  memset(r, 0, sizeof *r);
  for (unsigned l = 0; l < LANES; l++)
    r->address[l] = address + l * stride;
  r->pending = ALL;
  r->warp = (uint8_t)(e % 64);
  r->rd = 9;
  r->width = 4;
  r->access = access;
  r->responds = access == SL_ACCESS_LOAD;
  sl_coalescer_put(&b->c);
  return r;
}

static void store_compressed(struct bench *b, int64_t e, uint32_t address)
{
  put_at(b, e, SL_ACCESS_STORE, address, 4)->compressed = true;
}

static void store_vector(struct bench *b, int64_t e, uint32_t address)
{
  put_at(b, e, SL_ACCESS_STORE, address, 4);
}

static void load(struct bench *b, int64_t e, uint32_t address)
{
  put_at(b, e, SL_ACCESS_LOAD, address, 4);
}

/* ---- stores ------------------------------------------------------------------------------------------------------ */

static void a_held_store_makes_no_traffic(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  const unsigned requests = b->c.free_count;
  store_compressed(b, 0, STACKS);
  run(b, 60);
  assert_int_equal(b->c.passes, 0);
  assert_int_equal(b->dram.beats, 0);
  assert_int_equal(b->answers, 0);
  assert_int_equal(b->c.free_count, requests);
  assert_false(b->c.active);
  free(b);
}

static void without_a_cache_it_goes_to_dram(void **state)
{
  (void)state;
  struct bench *b = make(0);
  store_compressed(b, 0, STACKS);
  run(b, 60);
  assert_int_equal(b->c.passes, 1);
  assert_int_equal(b->dram.beats, 2);
  free(b);
}

/* Only whole words of all lanes, each at its own word of one block, and only of compressed vectors. */
static void other_stores_are_not_held(void **state)
{
  (void)state;
  enum { CASES = 7 };
  static const unsigned beats[CASES] = {2, 2, 1, 32, 32, 1, 2};
  for (unsigned i = 0; i < CASES; i++) {
    struct bench *b = make(ENTRIES);
    switch (i) {
    case 0: store_vector(b, 0, STACKS); break;
    case 1: /* a lane is missing */
      store_compressed(b, 0, STACKS);
      b->c.pool[b->c.fifo[b->c.fifo_head]].pending = ALL & ~sl_bit(31);
      break;
    case 2: { /* halfwords */
      struct sl_request *r = put_at(b, 0, SL_ACCESS_STORE, STACKS, 2);
      r->compressed = true;
      r->width = 2;
      break;
    }
    case 3: store_compressed(b, 0, STACKS + 4); break;                              /* not lane-aligned */
    case 4: put_at(b, 0, SL_ACCESS_STORE, STACKS, BLOCK)->compressed = true; break; /* different blocks */
    case 5: put_at(b, 0, SL_ACCESS_STORE, STACKS, 0)->compressed = true; break;     /* one address */
    default: store_compressed(b, 0, DRAM); break;                                   /* no stack */
    }
    run(b, 250);
    assert_int_equal(b->dram.beats, beats[i]);
    load(b, 300, STACKS);
    run(b, 60);
    assert_int_equal(b->cache.hits, 0);
    free(b);
  }
}

static void a_replaced_vector_is_one_two_beat_store(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  store_compressed(b, 20, OTHER);
  run(b, 60);
  assert_int_equal(b->c.passes, 1);
  assert_int_equal(b->passed_in[0], 25); /* in its only pass */
  assert_int_equal(b->dram.beats, 2);
  assert_int_equal(b->answers, 0);
  load(b, 100, OTHER);
  run(b, 60);
  assert_int_equal(b->cache.hits, 1);
  assert_int_equal(b->dram.beats, 2);
  free(b);
}

/* Two beats in stage 5 for each write-back: a pass every three cycles. */
static void replacing_stores_leave_every_three_cycles(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  for (unsigned i = 0; i < 8; i++)
    store_compressed(b, i, STACKS + i * BLOCK);
  run(b, 60);
  for (unsigned i = 0; i < 8; i++)
    store_compressed(b, 100 + i, OTHER + i * BLOCK);
  run(b, 60);
  assert_int_equal(b->passes, 8);
  for (unsigned i = 0; i < 8; i++)
    assert_int_equal(b->passed_in[i], 105 + 3 * i);
  free(b);
}

static void a_held_block_goes_out_in_a_pass_before_another_store_to_it(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  store_vector(b, 20, STACKS);
  run(b, 60);
  assert_int_equal(b->passes, 2);
  assert_int_equal(b->passed_in[0], 25);     /* the block's two beats */
  assert_int_equal(b->passed_in[1], 25 + 3); /* the store's */
  assert_int_equal(b->dram.beats, 4);
  load(b, 100, STACKS); /* invalidated */
  run(b, 60);
  assert_int_equal(b->cache.hits, 0);
  assert_int_equal(b->dram.beats, 6);
  free(b);
}

/* Each of its two passes occupies stage 5 for two cycles, so the next is three cycles later. */
static void the_extra_pass_stalls_later_requests(void **state)
{
  (void)state;
  for (unsigned held = 0; held < 2; held++) {
    struct bench *b = make(ENTRIES);
    if (held)
      store_compressed(b, 0, STACKS);
    store_vector(b, 20, STACKS);
    load(b, 21, DRAM);
    run(b, 100);
    assert_int_equal(b->passes, held ? 3 : 2);
    assert_int_equal(b->passed_in[held ? 2 : 1], 25 + 3 * (held ? 2 : 1));
    assert_int_equal(b->answers, 1);
    free(b);
  }
}

/* Lane by lane: only the first transaction finds the block here. */
static void a_scattered_store_to_a_held_block_takes_one_extra_pass(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  struct sl_request *r = put_at(b, 20, SL_ACCESS_STORE, STACKS + 4 * 31, 0u - 4);
  r->compressed = true;
  run(b, 300);
  assert_int_equal(b->passes, 1 + 32);
  assert_int_equal(b->dram.beats, 2 + 32);
  free(b);
}

/* ---- loads ------------------------------------------------------------------------------------------------------- */

static void a_load_that_hits_is_taken_by_the_merge_in_e_plus_9(void **state)
{
  (void)state;
  for (unsigned stride = 0; stride <= 4; stride += 4) {
    struct bench *b = make(ENTRIES);
    store_compressed(b, 0, STACKS);
    put_at(b, 20, SL_ACCESS_LOAD, STACKS, stride);
    run(b, 60);
    assert_int_equal(b->answers, 1);
    assert_int_equal(b->answered_in[0], 20 + 9);
    assert_true(b->answer[0].lanes == ALL);
    assert_int_equal(sl_response_warp(b->answer[0]), 20);
    assert_int_equal(sl_response_rd(b->answer[0]), 9);
    assert_int_equal(b->dram.beats, 0);
    assert_int_equal(b->c.passes, 0);
    assert_int_equal(b->dram.outstanding, 0);
    free(b);
  }
}

static void a_miss_takes_as_long_as_without_a_cache_and_does_not_fill(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  load(b, 0, STACKS);
  load(b, 100, STACKS);
  run(b, 60);
  assert_int_equal(b->answers, 2);
  assert_int_equal(b->answered_in[0], 44);
  assert_int_equal(b->answered_in[1], 144);
  assert_int_equal(b->dram.beats, 4);
  assert_int_equal(b->cache.misses, 2);
  free(b);
}

/* The DRAM load is handed over in 43 and taken in 44; the queue between is free for the next in 45. */
static void a_hit_waits_for_the_answers_before_it(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  load(b, 20, DRAM);
  load(b, 21, STACKS);
  run(b, 80);
  assert_int_equal(b->answers, 2);
  assert_int_equal(b->answered_in[0], 20 + 44);
  assert_int_equal(sl_response_warp(b->answer[0]), 20);
  assert_int_equal(b->answered_in[1], 20 + 46);
  assert_int_equal(sl_response_warp(b->answer[1]), 21);
  free(b);
}

/* The second DRAM load's beats arrive in 45 and 46, before the hit has left stage 6: taken in 46 and 47, handed over in
 * 48. */
static void a_hit_does_not_take_beats_of_later_loads(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  load(b, 20, DRAM);
  load(b, 21, STACKS);
  load(b, 22, DRAM);
  run(b, 100);
  assert_int_equal(b->answers, 3);
  static const int64_t taken[] = {44, 46, 49};
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(b->answered_in[i], 20 + taken[i]);
    assert_int_equal(sl_response_warp(b->answer[i]), 20 + i);
  }
  free(b);
}

static void answers_after_a_hit_stay_in_order(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  load(b, 20, STACKS);
  load(b, 21, DRAM);
  run(b, 80);
  assert_int_equal(b->answers, 2);
  assert_int_equal(b->answered_in[0], 20 + 9);
  assert_int_equal(b->answered_in[1], 21 + 44 + 1); /* stage 5 takes one every two cycles */
  assert_int_equal(sl_response_warp(b->answer[1]), 21);
  free(b);
}

static void hits_are_answered_every_two_cycles(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  for (unsigned i = 0; i < 12; i++)
    store_compressed(b, i, STACKS + i * BLOCK);
  run(b, 60);
  for (unsigned i = 0; i < 12; i++)
    load(b, 100 + i, STACKS + i * BLOCK);
  run(b, 60);
  assert_int_equal(b->answers, 12);
  for (unsigned i = 0; i < 12; i++)
    assert_int_equal(b->answered_in[i], 109 + 2 * i);
  assert_int_equal(b->cache.hits, 12);
  assert_false(sl_coalescer_responding(&b->c));
  free(b);
}

/* After loads that fill the in-flight queue: the hit takes one of its entries. */
static void a_hit_needs_room_in_the_in_flight_queue(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 1);
  sl_stack_cache_init(&b->cache, ENTRIES, 7, STACKS);
  store_compressed(b, 0, STACKS);
  for (unsigned i = 0; i < 3; i++)
    put_at(b, 20 + i, SL_ACCESS_LOAD, i == 2 ? STACKS : DRAM, 0);
  run(b, 62 - b->now); /* the first is handed over in 20 + 42 */
  assert_true(b->c.issue_full);
  run(b, 100);
  assert_int_equal(b->answers, 3);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(sl_response_warp(b->answer[i]), 20 + i);
  free(b);
}

static void a_fence_bypasses_the_cache(void **state)
{
  (void)state;
  struct bench *b = make(ENTRIES);
  store_compressed(b, 0, STACKS);
  put_at(b, 20, SL_ACCESS_FENCE, 0, 0)->responds = true;
  load(b, 100, STACKS);
  run(b, 60);
  assert_int_equal(b->answers, 2);
  assert_int_equal(b->answered_in[0], 20 + 43);
  assert_int_equal(b->answered_in[1], 100 + 9); /* nothing was flushed */
  assert_int_equal(b->dram.beats, 1);
  free(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_held_store_makes_no_traffic),
      cmocka_unit_test(without_a_cache_it_goes_to_dram),
      cmocka_unit_test(other_stores_are_not_held),
      cmocka_unit_test(a_replaced_vector_is_one_two_beat_store),
      cmocka_unit_test(replacing_stores_leave_every_three_cycles),
      cmocka_unit_test(a_held_block_goes_out_in_a_pass_before_another_store_to_it),
      cmocka_unit_test(the_extra_pass_stalls_later_requests),
      cmocka_unit_test(a_scattered_store_to_a_held_block_takes_one_extra_pass),
      cmocka_unit_test(a_load_that_hits_is_taken_by_the_merge_in_e_plus_9),
      cmocka_unit_test(a_miss_takes_as_long_as_without_a_cache_and_does_not_fill),
      cmocka_unit_test(a_hit_waits_for_the_answers_before_it),
      cmocka_unit_test(a_hit_does_not_take_beats_of_later_loads),
      cmocka_unit_test(answers_after_a_hit_stay_in_order),
      cmocka_unit_test(hits_are_answered_every_two_cycles),
      cmocka_unit_test(a_hit_needs_room_in_the_in_flight_queue),
      cmocka_unit_test(a_fence_bypasses_the_cache),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
