/* Suspension bits, and the scheduler's registered view of them: one cycle late (specification, section 2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing/pipeline/warp_scheduler.h"

/* Set in cycle 0, live in cycle 1, registered in cycle 2. */
static void a_suspension_is_registered_one_cycle_after_it_is_live(void **state)
{
  (void)state;
  struct sl_suspension s = {0};
  sl_suspension_clock(&s);
  sl_suspension_set(&s, 5, 0xff, SL_WAIT_MEMORY);
  assert_true(s.live == sl_bit(5));
  assert_true(s.registered == 0);
  sl_suspension_clock(&s);
  assert_true(s.registered == sl_bit(5));
}

static void an_end_is_registered_one_cycle_after_it_is_live(void **state)
{
  (void)state;
  struct sl_suspension s = {0};
  sl_suspension_set(&s, 63, 1, SL_WAIT_UNIT);
  sl_suspension_clock(&s);
  sl_suspension_clear(&s, 63, 1);
  assert_true(s.live == 0);
  assert_true(s.registered == sl_bit(63));
  sl_suspension_clock(&s);
  assert_true(s.registered == 0);
}

static void a_warp_is_suspended_until_its_last_lane_is_answered(void **state)
{
  (void)state;
  struct sl_suspension s = {0};
  sl_suspension_set(&s, 3, 0x0f, SL_WAIT_MEMORY);
  sl_suspension_clear(&s, 3, 0x07);
  assert_true(s.live == sl_bit(3));
  assert_true(s.lanes[3] == 0x08);
  assert_true(s.waiting[SL_WAIT_MEMORY] == sl_bit(3));
  sl_suspension_clear(&s, 3, 0x08);
  assert_true(s.live == 0);
}

static void warps_do_not_disturb_each_other(void **state)
{
  (void)state;
  struct sl_suspension s = {0};
  sl_suspension_set(&s, 0, 1, SL_WAIT_MEMORY);
  sl_suspension_set(&s, 1, 1, SL_WAIT_UNIT);
  sl_suspension_set(&s, 2, 1, SL_WAIT_WRITE_BACK);
  sl_suspension_clear(&s, 1, 1);
  assert_true(s.live == (sl_bit(0) | sl_bit(2)));
  assert_true(s.waiting[SL_WAIT_MEMORY] == sl_bit(0));
  assert_true(s.waiting[SL_WAIT_UNIT] == 0);
  assert_true(s.waiting[SL_WAIT_WRITE_BACK] == sl_bit(2));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_suspension_is_registered_one_cycle_after_it_is_live),
      cmocka_unit_test(an_end_is_registered_one_cycle_after_it_is_live),
      cmocka_unit_test(a_warp_is_suspended_until_its_last_lane_is_answered),
      cmocka_unit_test(warps_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
