/* The ratio estimator of sampled timing, on windows with known results. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device/engine/sampling.h"

enum { INSTRUCTIONS, CYCLES, COUNTERS };

/* A window of two halves. */
static void add_weighted(struct sl_window_sums *sums, double weight, uint64_t n1, uint64_t c1, uint64_t n2, uint64_t c2)
{
  const struct sl_counter_values begin = {.of = {1000, 5000}};
  const struct sl_counter_values middle = {.of = {1000 + n1, 5000 + c1}};
  const struct sl_counter_values end = {.of = {1000 + n1 + n2, 5000 + c1 + c2}};
  sl_window_sums_add(sums, weight, &begin, &middle, &end, COUNTERS, INSTRUCTIONS);
}

static void add(struct sl_window_sums *sums, uint64_t n1, uint64_t c1, uint64_t n2, uint64_t c2)
{
  add_weighted(sums, 1000, n1, c1, n2, c2);
}

static void constant_cycles_per_instruction_are_exact(void **state)
{
  (void)state;
  struct sl_window_sums sums = {0};
  for (uint64_t i = 0; i < 20; i++)
    add(&sums, 100 + i, 300 + 3 * i, 50, 150);
  const struct sl_ratio ratio = sl_window_sums_ratio(&sums, CYCLES);
  assert_true(fabs(ratio.value - 3) < 1e-12);
  assert_true(ratio.chance < 1e-6 && ratio.bias < 1e-12 && fabs(ratio.drift) < 1e-12);
}

/* Windows of 1 and of 3 cycles per instruction, half each: the mean is 2. The deviation of a window is 1, its square
 * over 15 degrees of freedom 16/15; t(15) is 2.131: 2.131 * sqrt(16/15/16) = 0.550. */
static void two_phases_give_their_mean_and_its_interval(void **state)
{
  (void)state;
  struct sl_window_sums sums = {0};
  for (unsigned i = 0; i < 16; i++)
    add(&sums, 50, i % 2 ? 50 : 150, 50, i % 2 ? 50 : 150);
  const struct sl_ratio ratio = sl_window_sums_ratio(&sums, CYCLES);
  assert_true(fabs(ratio.value - 2) < 1e-12);
  assert_true(fabs(ratio.chance - 0.550) < 0.002);
  assert_true(ratio.bias < 1e-12);
}

static void slow_window_starts_are_bias_and_drift(void **state)
{
  (void)state;
  struct sl_window_sums sums = {0};
  for (unsigned i = 0; i < 16; i++)
    add(&sums, 50, 100, 50, 75 + i % 2);
  const struct sl_ratio ratio = sl_window_sums_ratio(&sums, CYCLES);
  assert_true(fabs(ratio.bias - (2 - 1.51)) < 1e-12);
  assert_true(fabs(ratio.drift + 0.49) < 1e-12);
  assert_true(fabs(ratio.drift) > ratio.drift_chance);
}

/* Three quarters of the estimated instructions take 1 cycle each, the rest 3. */
static void a_window_is_weighted_by_its_period(void **state)
{
  (void)state;
  struct sl_window_sums sums = {0};
  for (unsigned i = 0; i < 8; i++) {
    add_weighted(&sums, 300, 50, 50, 50, 50);
    add_weighted(&sums, 100, 50, 150, 50, 150);
  }
  assert_true(fabs(sl_window_sums_ratio(&sums, CYCLES).value - 1.5) < 1e-12);
}

static void few_windows_have_no_interval(void **state)
{
  (void)state;
  struct sl_window_sums sums = {0};
  assert_true(!isfinite(sl_window_sums_ratio(&sums, CYCLES).chance));
  for (unsigned i = 0; i < SL_WINDOWS_MIN - 1; i++)
    add(&sums, 50, 100, 50, 100);
  assert_true(!isfinite(sl_window_sums_ratio(&sums, CYCLES).chance));
  add(&sums, 50, 100, 50, 100);
  assert_true(isfinite(sl_window_sums_ratio(&sums, CYCLES).chance) != 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_cycles_per_instruction_are_exact),
      cmocka_unit_test(two_phases_give_their_mean_and_its_interval),
      cmocka_unit_test(slow_window_starts_are_bias_and_drift),
      cmocka_unit_test(a_window_is_weighted_by_its_period),
      cmocka_unit_test(few_windows_have_no_interval),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
