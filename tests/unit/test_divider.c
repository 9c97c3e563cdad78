/* The dividers: sequential (result visible in e+35, accepts the next the cycle after it was taken) and pipelined
 * (latency + 2, at most `depth` in flight). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing/pipeline/arithmetic_units.h"

static struct sl_divider sequential(void)
{
  struct sl_divider d;
  sl_divider_init(&d, SL_DIVIDER_SEQUENTIAL, 12, 32);
  return d;
}

static struct sl_divider pipelined(unsigned latency, unsigned depth)
{
  struct sl_divider d;
  sl_divider_init(&d, SL_DIVIDER_PIPELINED, latency, depth);
  return d;
}

static void sequential_result_in_e_plus_35_not_34(void **state)
{
  (void)state;
  struct sl_divider d = sequential();
  sl_divider_put(&d, sl_response(3, 9, 4), 100);
  for (int64_t now = 101; now < 135; now++)
    assert_false(sl_divider_can_take(&d, now));
  assert_true(sl_divider_can_take(&d, 135));
  const struct sl_response r = sl_divider_take(&d, 135);
  assert_int_equal(sl_response_warp(r), 9);
  assert_int_equal(sl_response_rd(r), 4);
  assert_true(r.lanes == 3);
}

static void sequential_accepts_nothing_while_busy(void **state)
{
  (void)state;
  struct sl_divider d = sequential();
  assert_true(sl_divider_can_put(&d, 0));
  sl_divider_put(&d, sl_response(1, 0, 1), 0);
  for (int64_t now = 1; now < 80; now++) /* also with an unread result, from 35 on */
    assert_false(sl_divider_can_put(&d, now));
}

static void sequential_accepts_the_cycle_after_taking(void **state)
{
  (void)state;
  for (int64_t taken = 35; taken < 60; taken += 12) {
    struct sl_divider d = sequential();
    sl_divider_put(&d, sl_response(1, 0, 1), 0);
    sl_divider_take(&d, taken);
    assert_false(sl_divider_can_take(&d, taken + 1));
    assert_false(sl_divider_can_put(&d, taken));
    assert_true(sl_divider_can_put(&d, taken + 1));
  }
}

static void pipelined_result_in_latency_plus_2(void **state)
{
  (void)state;
  for (unsigned latency = 1; latency <= 64; latency++) {
    struct sl_divider d = pipelined(latency, 32);
    sl_divider_put(&d, sl_response(1, 0, 1), 10);
    assert_false(sl_divider_can_take(&d, 10 + (int64_t)latency + 1));
    assert_true(sl_divider_can_take(&d, 10 + (int64_t)latency + 2));
  }
}

static void pipelined_takes_and_gives_one_per_cycle_in_order(void **state)
{
  (void)state;
  struct sl_divider d = pipelined(12, 32);
  unsigned taken = 0;
  for (unsigned now = 0; now < 60; now++) {
    assert_true(sl_divider_can_take(&d, now) == (now >= 14));
    if (sl_divider_can_take(&d, now))
      assert_int_equal(sl_response_warp(sl_divider_take(&d, now)), taken++);
    assert_true(sl_divider_can_put(&d, now));
    sl_divider_put(&d, sl_response(1, now, 1), now);
  }
  assert_int_equal(taken, 46);
}

static void pipelined_is_full_only_at_depth(void **state)
{
  (void)state;
  for (unsigned depth = 1; depth <= SL_DIVIDER_MAX_DEPTH; depth++) {
    struct sl_divider d = pipelined(12, depth);
    for (unsigned n = 0; n < depth; n++) {
      assert_true(sl_divider_can_put(&d, n));
      sl_divider_put(&d, sl_response(1, n % 64, 1), n);
    }
    assert_false(sl_divider_can_put(&d, depth));
    assert_false(sl_divider_can_put(&d, 1000));
  }
}

static void pipelined_room_is_visible_a_cycle_after_taking(void **state)
{
  (void)state;
  struct sl_divider d = pipelined(1, 2);
  sl_divider_put(&d, sl_response(1, 0, 1), 0);
  sl_divider_put(&d, sl_response(1, 1, 1), 1);
  sl_divider_take(&d, 3);
  assert_false(sl_divider_can_put(&d, 3));
  assert_true(sl_divider_can_put(&d, 4));
}

static void next_event_is_when_the_oldest_can_be_taken(void **state)
{
  (void)state;
  struct sl_divider d = pipelined(12, 32);
  assert_true(sl_divider_next_event(&d) == INT64_MAX);
  sl_divider_put(&d, sl_response(1, 0, 1), 5);
  sl_divider_put(&d, sl_response(1, 1, 1), 9);
  assert_int_equal(sl_divider_next_event(&d), 5 + 12 + 2);
  sl_divider_take(&d, 19);
  assert_int_equal(sl_divider_next_event(&d), 9 + 12 + 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequential_result_in_e_plus_35_not_34),
      cmocka_unit_test(sequential_accepts_nothing_while_busy),
      cmocka_unit_test(sequential_accepts_the_cycle_after_taking),
      cmocka_unit_test(pipelined_result_in_latency_plus_2),
      cmocka_unit_test(pipelined_takes_and_gives_one_per_cycle_in_order),
      cmocka_unit_test(pipelined_is_full_only_at_depth),
      cmocka_unit_test(pipelined_room_is_visible_a_cycle_after_taking),
      cmocka_unit_test(next_event_is_when_the_oldest_can_be_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
