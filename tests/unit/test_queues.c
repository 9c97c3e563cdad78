/* Hardware queues: the cycles in which a producer may put, given those in which the consumer took. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stepped_scratchpad.h"

static struct sl_response item(unsigned n)
{
  return sl_response(sl_bit(n), n, n % 32);
}

static void response_keeps_every_warp_and_register(void **state)
{
  (void)state;
  for (unsigned warp = 0; warp < SL_MAX_WARPS; warp++)
    for (unsigned rd = 0; rd < 32; rd++) {
      const struct sl_response r = sl_response(UINT64_MAX, warp, rd);
      assert_int_equal(sl_response_warp(r), warp);
      assert_int_equal(sl_response_rd(r), rd);
      assert_true(r.lanes == UINT64_MAX);
    }
}

/* One item per cycle: an item may be replaced in the cycle in which it drains. */
static void pipeline_queue_refills_in_the_cycle_it_drains(void **state)
{
  (void)state;
  struct sl_pipeline_queue q = {0};
  assert_false(q.full);
  sl_pipeline_put(&q, item(0));
  for (unsigned now = 1; now < 4; now++) {
    assert_true(q.full);
    assert_true(q.item.lanes == sl_bit(now - 1));
    q.full = false;
    sl_pipeline_put(&q, item(now));
  }
  assert_true(q.full);
}

static void shift_queue_is_full_with_one_item(void **state)
{
  (void)state;
  struct sl_shift_queue q = {.drained = SL_NEVER_DRAINED};
  assert_true(sl_shift_can_put(&q, 0));
  sl_shift_put(&q, item(5));
  assert_true(q.full);
  assert_false(sl_shift_can_put(&q, 1));
}

static void shift_queue_refills_a_cycle_after_it_drained(void **state)
{
  (void)state;
  struct sl_shift_queue q = {.drained = SL_NEVER_DRAINED};
  sl_shift_put(&q, item(5));
  assert_true(sl_shift_take(&q, 7).lanes == sl_bit(5));
  assert_false(q.full);
  assert_false(sl_shift_can_put(&q, 7));
  assert_true(sl_shift_can_put(&q, 8));
}

static void shift_queue_passes_one_item_per_two_cycles(void **state)
{
  (void)state;
  struct sl_shift_queue q = {.drained = SL_NEVER_DRAINED};
  unsigned taken = 0, put = 0;
  for (int64_t now = 0; now < 20; now++) {
    if (q.full)
      assert_int_equal(sl_response_warp(sl_shift_take(&q, now)), taken++);
    if (sl_shift_can_put(&q, now))
      sl_shift_put(&q, item(put++));
  }
  assert_int_equal(put, 10);
  assert_int_equal(taken, 10);
}

static void register_queue_holds_two_items(void **state)
{
  (void)state;
  struct sl_register_queue q = {.drained = SL_NEVER_DRAINED};
  assert_true(sl_register_can_put(&q, 0));
  sl_register_put(&q, item(1));
  assert_true(sl_register_can_put(&q, 1));
  sl_register_put(&q, item(2));
  assert_false(sl_register_can_put(&q, 2));
}

/* "Full" is a register: room is visible a cycle after it is made. */
static void full_register_queue_takes_a_cycle_after_it_drained(void **state)
{
  (void)state;
  struct sl_register_queue q = {.drained = SL_NEVER_DRAINED};
  sl_register_put(&q, item(1));
  sl_register_put(&q, item(2));
  assert_true(sl_register_take(&q, 9).lanes == sl_bit(1));
  assert_false(sl_register_can_put(&q, 9));
  assert_true(sl_register_can_put(&q, 10));
}

static void register_queue_with_one_item_takes_in_the_cycle_it_drains(void **state)
{
  (void)state;
  struct sl_register_queue q = {.drained = SL_NEVER_DRAINED};
  sl_register_put(&q, item(1));
  sl_register_take(&q, 4);
  assert_true(sl_register_can_put(&q, 4));
}

static void register_queue_passes_an_item_per_cycle_in_order(void **state)
{
  (void)state;
  struct sl_register_queue q = {.drained = SL_NEVER_DRAINED};
  unsigned taken = 0, put = 0;
  for (int64_t now = 0; now < 20; now++) {
    if (q.count > 0)
      assert_int_equal(sl_response_warp(sl_register_take(&q, now)), taken++);
    if (sl_register_can_put(&q, now))
      sl_register_put(&q, item(put++));
  }
  assert_int_equal(put, 20);
  assert_int_equal(taken, 19);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(response_keeps_every_warp_and_register),
      cmocka_unit_test(pipeline_queue_refills_in_the_cycle_it_drains),
      cmocka_unit_test(shift_queue_is_full_with_one_item),
      cmocka_unit_test(shift_queue_refills_a_cycle_after_it_drained),
      cmocka_unit_test(shift_queue_passes_one_item_per_two_cycles),
      cmocka_unit_test(register_queue_holds_two_items),
      cmocka_unit_test(full_register_queue_takes_a_cycle_after_it_drained),
      cmocka_unit_test(register_queue_with_one_item_takes_in_the_cycle_it_drains),
      cmocka_unit_test(register_queue_passes_an_item_per_cycle_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
