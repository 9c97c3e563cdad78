/* The history scheduler (specification, section 2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "timing/pipeline/warp_scheduler.h"

static void picks_the_lowest_warp_first(void **state)
{
  (void)state;
  struct sl_scheduler s = {0};
  assert_int_equal(sl_scheduler_pick(&s, 0xf0), 4);
  assert_true(s.history == 0x10);
}

static void prefers_warps_that_are_not_in_the_history(void **state)
{
  (void)state;
  struct sl_scheduler s = {.history = 0x3};
  assert_int_equal(sl_scheduler_pick(&s, 0xb), 3);
  assert_true(s.history == 0xb);
}

/* A warp with a lower number that arrives later still goes first: not round robin. */
static void a_lower_fresh_warp_overtakes(void **state)
{
  (void)state;
  struct sl_scheduler s = {0};
  assert_int_equal(sl_scheduler_pick(&s, sl_bit(9)), 9);
  assert_int_equal(sl_scheduler_pick(&s, sl_bit(2) | sl_bit(10)), 2);
  assert_int_equal(sl_scheduler_pick(&s, sl_bit(10) | sl_bit(9)), 10);
}

static void starts_a_new_history_when_all_available_are_in_it(void **state)
{
  (void)state;
  struct sl_scheduler s = {.history = 0xff};
  assert_int_equal(sl_scheduler_pick(&s, 0x2c), 2);
  assert_true(s.history == 0x04); /* replaced, not added to */
  assert_int_equal(sl_scheduler_pick(&s, 0x2c), 3);
}

/* Warps not available for many picks stay in the history. */
static void history_persists(void **state)
{
  (void)state;
  struct sl_scheduler s = {0};
  assert_int_equal(sl_scheduler_pick(&s, sl_bit(0)), 0);
  for (unsigned w = 1; w < 64; w++)
    assert_int_equal(sl_scheduler_pick(&s, sl_bit(w)), w);
  assert_true(s.history == UINT64_MAX);
  assert_int_equal(sl_scheduler_pick(&s, sl_bit(63) | sl_bit(5)), 5);
  assert_int_equal(sl_scheduler_pick(&s, sl_bit(63) | sl_bit(5)), 63);
}

/* The rule, warp by warp. */
static unsigned reference(bool history[64], uint64_t available)
{
  for (unsigned w = 0; w < 64; w++)
    if ((available >> w & 1) && !history[w]) {
      history[w] = true;
      return w;
    }
  for (unsigned w = 0; w < 64; w++)
    history[w] = false;
  unsigned lowest = 0;
  while (!(available >> lowest & 1))
    lowest++;
  history[lowest] = true;
  return lowest;
}

static void follows_the_rule_for_random_sets(void **state)
{
  (void)state;
  struct sl_scheduler s = {0};
  bool history[64] = {false};
  uint64_t seed = 3;
  for (unsigned i = 0; i < 20000; i++) {
    const uint64_t available = random64(&seed) & random64(&seed) & random64(&seed);
    if (available)
      assert_int_equal(sl_scheduler_pick(&s, available), reference(history, available));
  }
}

static void serves_every_warp_once_in_a_round(void **state)
{
  (void)state;
  struct sl_scheduler s = {0};
  for (unsigned round = 0; round < 3; round++)
    for (unsigned w = 0; w < 64; w++)
      assert_int_equal(sl_scheduler_pick(&s, UINT64_MAX), w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(picks_the_lowest_warp_first),
      cmocka_unit_test(prefers_warps_that_are_not_in_the_history),
      cmocka_unit_test(a_lower_fresh_warp_overtakes),
      cmocka_unit_test(starts_a_new_history_when_all_available_are_in_it),
      cmocka_unit_test(history_persists),
      cmocka_unit_test(follows_the_rule_for_random_sets),
      cmocka_unit_test(serves_every_warp_once_in_a_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
