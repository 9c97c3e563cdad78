/* The coalescing unit's pipeline with an idle DRAM and scratchpad behind it (specification, sections 5 and 6).
 *
 * Relative to the execute cycle e of a memory instruction: stage 0 in e+1, stage 4 in e+5, stage 5 in e+6; a word-mode
 * load is handed over in e+43, so that the merge finds it in e+44, a one-beat load a cycle earlier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory_path.h"

#define BLOCK UINT32_C(0x90000000)

enum shape { UNIT_STRIDE, ONE_ADDRESS, SCATTERED, IN_SCRATCHPAD };

static void put(struct bench *b, unsigned warp, enum sl_access access, enum shape shape)
{
  static const uint32_t stride[] = {[UNIT_STRIDE] = 4, [ONE_ADDRESS] = 0, [SCATTERED] = 132, [IN_SCRATCHPAD] = 4};
  struct sl_request *r = sl_coalescer_next(&b->c);
  memset(r, 0, sizeof *r);
  for (unsigned l = 0; l < LANES; l++)
    r->address[l] = (shape == IN_SCRATCHPAD ? 0xbfff0000u : BLOCK + 4u * (shape == SCATTERED)) + l * stride[shape];
  r->pending = ALL;
  r->scratchpad = shape == IN_SCRATCHPAD ? ALL : 0;
  r->scratchpad_passes = 2;
  r->warp = (uint8_t)warp;
  r->rd = 1;
  r->width = 4;
  r->access = access;
  r->responds = access == SL_ACCESS_LOAD || access == SL_ACCESS_FENCE;
  sl_coalescer_put(&b->c);
}

/* One request executed in cycle 0. */
static struct bench *single(enum sl_access access, enum shape shape)
{
  struct bench *b = make_bench(32, 32);
  step(b);
  put(b, 7, access, shape);
  return b;
}

static void an_idle_unit_decides_in_e_plus_5_and_issues_in_e_plus_6(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_LOAD, UNIT_STRIDE);
  run(b, 4); /* to e+4 */
  assert_int_equal(b->c.passes, 0);
  step(b);
  assert_int_equal(b->c.passes, 1);
  assert_true(sl_dram_can_put(&b->dram));
  step(b);
  assert_false(sl_dram_can_put(&b->dram));
  free(b);
}

static void a_word_mode_load_is_handed_over_in_e_plus_43(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_LOAD, UNIT_STRIDE);
  run(b, 60);
  assert_int_equal(b->answers, 1);
  assert_int_equal(b->answered_in[0], 44); /* the merge's turn is the next cycle */
  assert_true(b->answer[0].lanes == ALL);
  assert_int_equal(sl_response_warp(b->answer[0]), 7);
  assert_int_equal(sl_response_rd(b->answer[0]), 1);
  assert_int_equal(b->dram.beats, 2);
  free(b);
}

static void a_one_beat_load_is_handed_over_a_cycle_earlier(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_LOAD, ONE_ADDRESS);
  run(b, 60);
  assert_int_equal(b->answers, 1);
  assert_int_equal(b->answered_in[0], 43);
  assert_int_equal(b->dram.beats, 1);
  free(b);
}

/* A fence reads one beat, after all earlier requests. */
static void a_fence_is_a_one_beat_read(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_FENCE, ONE_ADDRESS);
  run(b, 60);
  assert_int_equal(b->answers, 1);
  assert_int_equal(b->answered_in[0], 43);
  free(b);
}

static void the_scratchpad_gets_its_request_in_e_plus_5(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_LOAD, IN_SCRATCHPAD);
  run(b, 4);
  assert_int_equal(b->scratchpad.queued, 0);
  step(b);
  assert_int_equal(b->scratchpad.queued, 1);
  run(b, 30);
  /* Write-back in e+16+(k-1) with k = 2: resume merge in e+16, merge in e+15. */
  assert_int_equal(b->answers, 1);
  assert_int_equal(b->answered_in[0], 15);
  assert_int_equal(b->c.passes, 0); /* no DRAM transaction */
  free(b);
}

/* Alone, the remaining lanes take 4 cycles to come round: 31 times. */
static void a_scattered_load_alone_makes_a_transaction_every_four_cycles(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_LOAD, SCATTERED);
  run(b, 250);
  assert_int_equal(b->passes, 32);
  for (int i = 0; i < 32; i++)
    assert_int_equal(b->passed_in[i], 5 + 4 * i);
  assert_int_equal(b->answers, 32);
  assert_int_equal(b->answered_in[31], 43 + 4 * 31);
  sl_lanes answered = 0;
  for (unsigned i = 0; i < 32; i++) {
    assert_true(b->answer[i].lanes == sl_bit(i)); /* leader by leader */
    answered |= b->answer[i].lanes;
  }
  assert_true(answered == ALL);
  free(b);
}

static void two_scattered_loads_make_a_transaction_every_two_cycles(void **state)
{
  (void)state;
  struct bench *b = single(SL_ACCESS_LOAD, SCATTERED);
  step(b);
  put(b, 8, SL_ACCESS_LOAD, SCATTERED);
  run(b, 300);
  assert_int_equal(b->passes, 64);
  for (int i = 0; i < 64; i++)
    assert_int_equal(b->passed_in[i], 5 + 2 * i);
  assert_int_equal(b->answers, 64);
  free(b);
}

/* Puts n requests, one per cycle from cycle 0 on, and runs until the unit is idle. */
static struct bench *stream(unsigned n, enum sl_access access, enum shape shape)
{
  struct bench *b = make_bench(32, 32);
  for (unsigned i = 0; i < n; i++) {
    step(b);
    put(b, i, access, shape);
  }
  run(b, 400);
  assert_false(b->c.active);
  return b;
}

static void one_beat_stores_leave_every_two_cycles(void **state)
{
  (void)state;
  struct bench *b = stream(16, SL_ACCESS_STORE, ONE_ADDRESS);
  for (int i = 0; i < 16; i++)
    assert_int_equal(b->passed_in[i], 5 + 2 * i);
  assert_int_equal(b->dram.beats, 16);
  assert_int_equal(b->answers, 0);
  free(b);
}

/* Two beats occupy stage 5 for two cycles: one store per three. */
static void word_stores_leave_every_three_cycles(void **state)
{
  (void)state;
  struct bench *b = stream(16, SL_ACCESS_STORE, UNIT_STRIDE);
  for (int i = 0; i < 16; i++)
    assert_int_equal(b->passed_in[i], 5 + 3 * i);
  assert_int_equal(b->dram.beats, 32);
  free(b);
}

/* Stage 6 needs a cycle per beat and one to hand over. That is the limit, not the transactions every two cycles. */
static void word_loads_are_answered_every_three_cycles(void **state)
{
  (void)state;
  struct bench *b = stream(16, SL_ACCESS_LOAD, UNIT_STRIDE);
  assert_int_equal(b->answers, 16);
  for (int i = 0; i < 16; i++) {
    assert_int_equal(b->answered_in[i], 44 + 3 * i);
    assert_int_equal(sl_response_warp(b->answer[i]), i);
  }
  free(b);
}

static void one_beat_loads_are_answered_every_two_cycles(void **state)
{
  (void)state;
  struct bench *b = stream(16, SL_ACCESS_LOAD, ONE_ADDRESS);
  assert_int_equal(b->answers, 16);
  for (int i = 0; i < 16; i++)
    assert_int_equal(b->answered_in[i], 43 + 2 * i);
  free(b);
}

static void the_fifo_is_full_at_32_not_31(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  for (unsigned n = 0; n < 32; n++) {
    assert_true(sl_coalescer_can_put(&b->c, 0));
    put(b, n, SL_ACCESS_STORE, ONE_ADDRESS);
  }
  assert_false(sl_coalescer_can_put(&b->c, 0));
  free(b);
}

/* "Full" is a register: stage 0 takes a request in cycle 0, room is visible in cycle 1. */
static void room_in_the_fifo_is_visible_a_cycle_after_stage_0_takes(void **state)
{
  (void)state;
  struct bench *b = make_bench(4, 32);
  for (unsigned n = 0; n < 4; n++)
    put(b, n, SL_ACCESS_STORE, ONE_ADDRESS);
  step(b);
  assert_false(sl_coalescer_can_put(&b->c, 0));
  assert_true(sl_coalescer_can_put(&b->c, 1));
  free(b);
}

/* Four request vectors circulate while the first is not done; the FIFO holds the others. */
static void four_requests_are_in_the_stages(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  for (unsigned n = 0; n < 10; n++) {
    step(b);
    put(b, n, SL_ACCESS_LOAD, SCATTERED);
  }
  run(b, 20);
  assert_int_equal(b->c.fifo_count, 10 - 4);
  free(b);
}

/* The head of the in-flight queue has its own register: depth + 1 transactions wait for answers. */
static void depth_plus_one_transactions_are_in_flight(void **state)
{
  (void)state;
  for (unsigned depth = 1; depth <= 8; depth *= 2) {
    struct bench *b = make_bench(32, depth);
    for (unsigned n = 0; n < 12; n++) {
      step(b);
      put(b, n, SL_ACCESS_LOAD, ONE_ADDRESS);
    }
    run(b, 41 - b->now);
    assert_int_equal(b->answers, 0);
    assert_int_equal(b->dram.beats, depth + 1);
    run(b, 600);
    assert_int_equal(b->answers, 12);
    free(b);
  }
}

/* The first answer is handed over in 42, when the second transaction becomes the head; its place is free in 43. */
static void room_in_flight_is_visible_a_cycle_after_the_head_leaves(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 1);
  for (unsigned n = 0; n < 3; n++) {
    step(b);
    put(b, n, SL_ACCESS_LOAD, ONE_ADDRESS);
  }
  run(b, 43 - b->now);
  assert_true(b->c.issue_full);
  assert_true(sl_dram_can_put(&b->dram)); /* not issued in 42 */
  step(b);
  assert_false(sl_dram_can_put(&b->dram));
  free(b);
}

/* Stores executed in 0 and 1 pass in 5 and 8: stage 4 stalls in 6 and 7. One executed in 6 still enters the empty
 * stages in 7 and passes in 11. */
static void a_stall_lets_requests_close_up(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  for (unsigned n = 0; n < 2; n++) {
    step(b);
    put(b, n, SL_ACCESS_STORE, UNIT_STRIDE);
  }
  run(b, 7 - b->now);
  put(b, 2, SL_ACCESS_STORE, UNIT_STRIDE);
  step(b);
  assert_int_equal(b->c.fifo_count, 0);
  run(b, 20);
  assert_int_equal(b->passes, 3);
  assert_int_equal(b->passed_in[1], 8);
  assert_int_equal(b->passed_in[2], 11);
  free(b);
}

/* Two transactions are in flight and one is in stage 5: the fourth load stalls in stage 4, three more fill the stages
 * before it. */
static void bubbles_are_squeezed_out_of_stalled_stages(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 1);
  for (unsigned n = 0; n < 8; n++) {
    run(b, n < 4 ? 1 : n == 4 ? 10 : 3);
    put(b, n, SL_ACCESS_LOAD, ONE_ADDRESS);
  }
  run(b, 35 - b->now);
  assert_int_equal(b->c.fifo_count, 1);
  run(b, 300);
  assert_int_equal(b->answers, 8);
  free(b);
}

/* A full in-flight queue also delays stores, since they follow the loads in stage 5. */
static void a_stalled_stage_5_blocks_the_pipeline(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 1);
  for (unsigned n = 0; n < 3; n++) {
    step(b);
    put(b, n, SL_ACCESS_LOAD, ONE_ADDRESS);
  }
  step(b);
  put(b, 3, SL_ACCESS_STORE, ONE_ADDRESS);
  run(b, 41 - b->now);
  assert_int_equal(b->dram.beats, 2);
  run(b, 100);
  assert_int_equal(b->dram.beats, 4);
  free(b);
}

/* Mixed addresses: one pass serves the scratchpad's lanes, the next round the others. */
static void a_mixed_load_is_answered_by_both_memories(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  step(b);
  put(b, 1, SL_ACCESS_LOAD, UNIT_STRIDE);
  struct sl_request *r = &b->c.pool[b->c.fifo[b->c.fifo_head]];
  for (unsigned l = 0; l < 16; l++)
    r->address[l] = 0xbfff0000u + 4 * l;
  r->scratchpad = 0xffff;
  r->scratchpad_passes = 1;
  run(b, 80);
  assert_int_equal(b->answers, 2);
  assert_true(b->answer[0].lanes == 0xffff);
  assert_int_equal(b->answered_in[0], 14);
  assert_true(b->answer[1].lanes == 0xffff0000);
  assert_int_equal(b->answered_in[1], 44 + 4); /* one round of the feedback loop later */
  free(b);
}

static void every_request_returns_to_the_pool(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  const unsigned free_requests = b->c.free_count;
  free(b);
  b = stream(32, SL_ACCESS_LOAD, UNIT_STRIDE);
  assert_int_equal(b->c.free_count, free_requests);
  assert_false(sl_coalescer_responding(&b->c));
  assert_int_equal(b->answers, 32);
  free(b);
}

/* With FIFO and stages full there is still one request slot for an instruction that must retry. */
static void a_full_unit_refuses_requests(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  unsigned n = 0;
  for (; n < 32 + 4; n++) {
    step(b);
    assert_true(sl_coalescer_can_put(&b->c, b->now - 1));
    put(b, n, SL_ACCESS_LOAD, SCATTERED);
  }
  step(b);
  assert_false(sl_coalescer_can_put(&b->c, b->now - 1));
  assert_true(b->c.free_count > 0);
  free(b);
}

static void only_stack_loads_count_as_stack_loads(void **state)
{
  (void)state;
  struct bench *b = make_bench(32, 32);
  for (unsigned i = 0; i < 3; i++) {
    step(b);
    put(b, i, i == 2 ? SL_ACCESS_STORE : SL_ACCESS_LOAD, UNIT_STRIDE);
    if (i > 0)
      for (unsigned l = 0; l < LANES; l++)
        b->c.pool[b->c.fifo[b->c.fifo_head + b->c.fifo_count - 1]].address[l] = 0xc0000000u + 4 * l;
  }
  run(b, 100);
  assert_int_equal(b->c.passes, 3);
  assert_int_equal(b->c.stack_load_passes, 1);
  free(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_idle_unit_decides_in_e_plus_5_and_issues_in_e_plus_6),
      cmocka_unit_test(a_word_mode_load_is_handed_over_in_e_plus_43),
      cmocka_unit_test(a_one_beat_load_is_handed_over_a_cycle_earlier),
      cmocka_unit_test(a_fence_is_a_one_beat_read),
      cmocka_unit_test(the_scratchpad_gets_its_request_in_e_plus_5),
      cmocka_unit_test(a_scattered_load_alone_makes_a_transaction_every_four_cycles),
      cmocka_unit_test(two_scattered_loads_make_a_transaction_every_two_cycles),
      cmocka_unit_test(one_beat_stores_leave_every_two_cycles),
      cmocka_unit_test(word_stores_leave_every_three_cycles),
      cmocka_unit_test(word_loads_are_answered_every_three_cycles),
      cmocka_unit_test(one_beat_loads_are_answered_every_two_cycles),
      cmocka_unit_test(the_fifo_is_full_at_32_not_31),
      cmocka_unit_test(room_in_the_fifo_is_visible_a_cycle_after_stage_0_takes),
      cmocka_unit_test(four_requests_are_in_the_stages),
      cmocka_unit_test(depth_plus_one_transactions_are_in_flight),
      cmocka_unit_test(room_in_flight_is_visible_a_cycle_after_the_head_leaves),
      cmocka_unit_test(a_stall_lets_requests_close_up),
      cmocka_unit_test(bubbles_are_squeezed_out_of_stalled_stages),
      cmocka_unit_test(a_stalled_stage_5_blocks_the_pipeline),
      cmocka_unit_test(a_mixed_load_is_answered_by_both_memories),
      cmocka_unit_test(every_request_returns_to_the_pool),
      cmocka_unit_test(a_full_unit_refuses_requests),
      cmocka_unit_test(only_stack_loads_count_as_stack_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
