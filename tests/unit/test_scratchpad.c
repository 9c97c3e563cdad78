/* The scratchpad: its timeline from a put in stage 4 of the coalescing unit, its stall, and the banks' order of
 * service.
 *
 * Put in d, first pass in d+2; then crossbar, read, operate, response crossbar, accumulate; responded in d+8, so that
 * the merge finds the answer in d+9 (with d = e+5: in e+14, two cycles before the write-back in e+16). k passes take
 * k-1 cycles more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mem/request.h"
#include "random.h"
#include "stepped_scratchpad.h"

enum { ANSWER = 9 };

struct bench {
  struct sl_scratchpad s;
  int64_t now;
};

static struct bench make_bench(void)
{
  struct bench b = {0};
  sl_scratchpad_init(&b.s);
  return b;
}

/* A cycle up to the point where the coalescing unit may put; returns the number of the answer that the merge takes, or
 * -1. */
static int step(struct bench *b, bool take)
{
  int taken = -1;
  if (take && b->s.response.full)
    taken = (int)sl_response_warp(sl_shift_take(&b->s.response, b->now));
  sl_scratchpad_cycle(&b->s, b->now++);
  return taken;
}

static void put(struct bench *b, unsigned n, unsigned passes, bool responds)
{
  assert_true(sl_scratchpad_can_put(&b->s, b->now - 1));
  sl_scratchpad_put(&b->s, (struct sl_scratchpad_request){sl_response(1, n, 1), (uint16_t)passes, 2, responds},
                    b->now - 1);
}

static void run_to(struct bench *b, int64_t end)
{
  while (b->now < end)
    assert_int_equal(step(b, false), -1);
}

/* Steps until an answer, which must belong to request n; returns its cycle. */
static int64_t answer(struct bench *b, int n)
{
  for (unsigned i = 0; i < 200; i++) {
    int taken = step(b, true);
    if (taken >= 0) {
      assert_int_equal(taken, n);
      return b->now - 1;
    }
  }
  fail_msg("no answer %d", n);
  return -1;
}

static void first_pass_is_two_cycles_after_the_put(void **state)
{
  (void)state;
  struct bench b = make_bench();
  step(&b, true);
  put(&b, 0, 1, true);
  step(&b, true);
  assert_int_equal(b.s.passes, 0);
  step(&b, true);
  assert_int_equal(b.s.passes, 1);
}

static void answer_of_k_passes_comes_in_d_plus_9_plus_k_minus_1(void **state)
{
  (void)state;
  for (unsigned k = 1; k <= 64; k++) {
    struct bench b = make_bench();
    step(&b, true);
    put(&b, 3, k, true);
    assert_int_equal(answer(&b, 3), ANSWER + k - 1);
    assert_int_equal(b.s.passes, k);
    assert_int_equal(b.s.requests, 1);
    step(&b, true);
    assert_false(b.s.active);
  }
}

static void stores_take_their_passes_and_have_no_answer(void **state)
{
  (void)state;
  struct bench b = make_bench();
  step(&b, true);
  put(&b, 0, 4, false);
  for (unsigned i = 0; i < 30; i++)
    assert_int_equal(step(&b, true), -1);
  assert_int_equal(b.s.passes, 4);
  assert_false(b.s.active);
}

static void request_queue_is_full_with_two_not_one(void **state)
{
  (void)state;
  struct bench b = make_bench();
  step(&b, true);
  put(&b, 0, 32, true);
  assert_true(sl_scratchpad_can_put(&b.s, 0));
  step(&b, true);
  put(&b, 1, 1, true);
  assert_false(sl_scratchpad_can_put(&b.s, 1));
}

/* The first request leaves in its last pass, in cycle 2+5-1 = 6; its slot can be used from 7 on. */
static void request_queue_is_not_refilled_in_the_cycle_it_drains(void **state)
{
  (void)state;
  struct bench b = make_bench();
  step(&b, true);
  put(&b, 0, 5, true);
  step(&b, true);
  put(&b, 1, 1, true);
  run_to(&b, 7);
  assert_int_equal(b.s.requests, 1);
  assert_false(sl_scratchpad_can_put(&b.s, 6));
  step(&b, true);
  assert_true(sl_scratchpad_can_put(&b.s, 7));
}

static void next_request_passes_right_after_the_last_pass(void **state)
{
  (void)state;
  struct bench b = make_bench();
  step(&b, true);
  put(&b, 0, 3, true);
  step(&b, true);
  put(&b, 1, 3, true);
  run_to(&b, 8); /* passes in cycles 2 to 7 */
  assert_int_equal(b.s.passes, 6);
  assert_int_equal(answer(&b, 0), ANSWER + 2);
  assert_int_equal(answer(&b, 1), ANSWER + 5);
}

static void answers_leave_at_most_every_two_cycles(void **state)
{
  (void)state;
  struct bench b = make_bench();
  step(&b, true);
  put(&b, 0, 1, true);
  step(&b, true);
  put(&b, 1, 1, true);
  assert_int_equal(answer(&b, 0), ANSWER);
  assert_int_equal(answer(&b, 1), ANSWER + 2);
}

/* One answer in the queue, one waiting to respond, one accumulated: the pipeline stalls. */
static void stalls_while_an_accumulated_answer_cannot_move(void **state)
{
  (void)state;
  struct bench b = make_bench();
  for (unsigned n = 0; n < 3; n++) {
    step(&b, false);
    step(&b, false);
    put(&b, n, 1, true);
  }
  run_to(&b, 30);
  assert_int_equal(b.s.passes, 3);
  put(&b, 3, 1, true);
  run_to(&b, 60);
  assert_int_equal(b.s.passes, 3);
  assert_int_equal(step(&b, true), 0);
  assert_int_equal(b.s.passes, 3); /* the answer queue is not refilled in the cycle it drains */
  step(&b, false);
  assert_int_equal(b.s.passes, 4);
}

static void waiting_answers_alone_do_not_stall(void **state)
{
  (void)state;
  struct bench b = make_bench();
  for (unsigned n = 0; n < 2; n++) {
    step(&b, false);
    step(&b, false);
    put(&b, n, 1, true);
  }
  run_to(&b, 30);
  put(&b, 2, 1, false); /* a store bypasses it */
  run_to(&b, 32);
  assert_int_equal(b.s.passes, 3);
}

static void a_stall_keeps_requests_and_order(void **state)
{
  (void)state;
  struct bench b = make_bench();
  uint64_t seed = 7;
  unsigned sent = 0, stores = 0;
  int expected = 0;
  for (unsigned i = 0; i < 4000; i++) {
    int taken = step(&b, random_below(&seed, 4) == 0);
    if (taken >= 0)
      assert_int_equal(taken, expected++ % 64);
    if (i < 3000 && sl_scratchpad_can_put(&b.s, b.now - 1)) {
      const bool responds = random_below(&seed, 3) != 0;
      put(&b, sent % 64, 1 + random_below(&seed, 4), responds);
      sent += responds;
      stores += !responds;
    }
  }
  assert_int_equal(expected, sent);
  assert_int_equal(b.s.requests, sent + stores);
  assert_false(b.s.active);
}

/* ---- the banks ---- */

static unsigned strided_passes(unsigned stride_words)
{
  uint32_t address[SL_MAX_LANES];
  uint8_t order[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    address[l] = 0xbfff0000u + 4 * l * stride_words;
  return sl_scratchpad_schedule(address, sl_low_bits(32), 16, order);
}

/* Section 7 of the specification, with 32 lanes and 16 banks. */
static void strides_take_the_passes_of_the_specification(void **state)
{
  (void)state;
  assert_int_equal(strided_passes(0), 32); /* one address; broadcast loads do not reach the banks */
  assert_int_equal(strided_passes(1), 2);
  assert_int_equal(strided_passes(2), 4);
  assert_int_equal(strided_passes(4), 8);
  assert_int_equal(strided_passes(8), 16);
  assert_int_equal(strided_passes(16), 32);
  assert_int_equal(strided_passes(3), 2); /* odd strides access every bank once */
}

static void half_a_warp_without_conflict_takes_one_pass(void **state)
{
  (void)state;
  uint32_t address[SL_MAX_LANES];
  uint8_t order[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    address[l] = 0xbfff0000u + 4 * l;
  assert_int_equal(sl_scratchpad_schedule(address, 0x0000ffff, 16, order), 1);
  assert_int_equal(sl_scratchpad_schedule(address, 0xffff0000, 16, order), 1);
}

/* Stride 2 uses the even banks: streams 0-7 win with lanes 0-7, win again with lanes 16-23, and only then streams 8-15
 * are served. */
static void lower_streams_win_until_they_are_empty(void **state)
{
  (void)state;
  uint32_t address[SL_MAX_LANES];
  uint8_t order[SL_MAX_LANES];
  for (unsigned l = 0; l < 32; l++)
    address[l] = 8 * l;
  assert_int_equal(sl_scratchpad_schedule(address, sl_low_bits(32), 16, order), 4);
  static const unsigned first[4] = {0, 16, 8, 24};
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(order[i], first[i / 8] + i % 8);
}

/* Stream s offers lane s, then lane s + 16. */
static void one_address_is_served_stream_by_stream(void **state)
{
  (void)state;
  uint32_t address[SL_MAX_LANES] = {0};
  uint8_t order[SL_MAX_LANES];
  assert_int_equal(sl_scratchpad_schedule(address, sl_low_bits(32), 16, order), 32);
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(order[i], i / 2 + 16 * (i % 2));
}

/* The arbitration of section 7, stream by stream over arrays. */
static unsigned reference(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t *order)
{
  bool pending[SL_MAX_LANES];
  unsigned left = 0, passes = 0, n = 0;
  for (unsigned l = 0; l < SL_MAX_LANES; l++)
    left += pending[l] = lanes >> l & 1;
  for (; left > 0; passes++) {
    bool used[SL_MAX_LANES] = {false};
    for (unsigned s = 0; s < banks; s++) {
      unsigned lane = s;
      while (lane < SL_MAX_LANES && !pending[lane])
        lane += banks;
      if (lane >= SL_MAX_LANES || used[address[lane] / 4 % banks])
        continue;
      used[address[lane] / 4 % banks] = true;
      pending[lane] = false;
      order[n++] = (uint8_t)lane;
      left--;
    }
  }
  return passes;
}

static void random_addresses_follow_the_arbitration(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (unsigned round = 0; round < 3000; round++) {
    uint32_t address[SL_MAX_LANES];
    uint8_t order[SL_MAX_LANES], expected[SL_MAX_LANES];
    const unsigned banks = 1u << random_below(&seed, 7);
    const unsigned range = 1u << random_below(&seed, 10);
    const sl_lanes lanes = random64(&seed) & random64(&seed) & sl_low_bits(1u << random_below(&seed, 7));
    for (unsigned l = 0; l < SL_MAX_LANES; l++)
      address[l] = 0xbfff0000u + 4 * random_below(&seed, range);
    const unsigned passes = reference(address, lanes, banks, expected);
    assert_int_equal(sl_scratchpad_schedule(address, lanes, banks, order), passes);
    assert_memory_equal(order, expected, sl_count(lanes));
  }
}

/* All lanes at once if the host can, and one by one. */
static void batched_lanes_take_the_same_passes(void **state)
{
  (void)state;
  unsigned (*const at_once)(const uint32_t *, sl_lanes, unsigned, uint8_t *) = sl_lane_ops(32)->bank_passes;
  uint64_t seed = 3;
  if (at_once == NULL)
    skip();
  for (unsigned round = 0; round < 20000; round++) {
    uint32_t address[SL_MAX_LANES];
    uint8_t expected[SL_MAX_LANES], order[SL_MAX_LANES];
    const unsigned banks = 1u << random_below(&seed, 5), range = 1u << random_below(&seed, 10);
    const sl_lanes lanes = (random64(&seed) | (random_below(&seed, 2) ? random64(&seed) : 0)) & sl_low_bits(2 * banks);
    for (unsigned l = 0; l < SL_MAX_LANES; l++)
      address[l] = 0xbfff0000u + random_below(&seed, 4 * range);
    if (lanes == 0)
      continue;
    assert_int_equal(at_once(address, lanes, banks, order), sl_scratchpad_schedule(address, lanes, banks, expected));
    assert_memory_equal(order, expected, sl_count(lanes));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_pass_is_two_cycles_after_the_put),
      cmocka_unit_test(answer_of_k_passes_comes_in_d_plus_9_plus_k_minus_1),
      cmocka_unit_test(stores_take_their_passes_and_have_no_answer),
      cmocka_unit_test(request_queue_is_full_with_two_not_one),
      cmocka_unit_test(request_queue_is_not_refilled_in_the_cycle_it_drains),
      cmocka_unit_test(next_request_passes_right_after_the_last_pass),
      cmocka_unit_test(answers_leave_at_most_every_two_cycles),
      cmocka_unit_test(stalls_while_an_accumulated_answer_cannot_move),
      cmocka_unit_test(waiting_answers_alone_do_not_stall),
      cmocka_unit_test(a_stall_keeps_requests_and_order),
      cmocka_unit_test(strides_take_the_passes_of_the_specification),
      cmocka_unit_test(half_a_warp_without_conflict_takes_one_pass),
      cmocka_unit_test(lower_streams_win_until_they_are_empty),
      cmocka_unit_test(one_address_is_served_stream_by_stream),
      cmocka_unit_test(random_addresses_follow_the_arbitration),
      cmocka_unit_test(batched_lanes_take_the_same_passes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
