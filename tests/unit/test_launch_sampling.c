/* The choice of launches of a sampled program, and what it predicts, on launches with known counters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/shuffle.h"
#include "device/engine/launch_sampling.h"

enum { CYCLES, INSTRUCTIONS, OTHER, COUNTERS };

static const struct sl_counter counter[] = {
    [CYCLES] = {.name = "cycles", .role = SL_COUNTER_CYCLES},
    [INSTRUCTIONS] = {.name = "instructions", .role = SL_COUNTER_WARP_INSTRUCTIONS},
    [OTHER] = {.name = "other"},
};
static const struct sl_counters counters = {counter, COUNTERS};
static const struct sl_launch_key key = {.kernel = "k", .grid = {4, 1, 1}, .block = {64, 1, 1}};

static struct sl_launch_sampler *open_sampler(uint64_t first, uint64_t seed)
{
  struct sl_launch_sampler *s;
  assert_int_equal(sl_launch_sampler_open(&s, &counters, first, seed, NULL), SL_OK);
  return s;
}

/* A launch of so many instructions and cycles; returns whether it was timed. */
static bool launch(struct sl_launch_sampler *s, const struct sl_launch_key *of, uint64_t instructions, uint64_t cycles)
{
  const bool timed = sl_launch_sampler_begin(s, of);
  const uint64_t all[COUNTERS] = {timed ? cycles : 0, instructions, timed ? 3 * instructions : 0};
  sl_launch_sampler_end(s, instructions, all);
  return timed;
}

/* Uniform, from 0 to 1. */
static double noise(uint64_t *state)
{
  return (double)(sl_mixed((*state)++) >> 11) * 0x1p-53;
}

/* With 12 at first and intervals of a twelfth: 12 + 12 ln(1000 / 12) = 65. */
static void timed_launches_grow_with_the_logarithm(void **state)
{
  (void)state;
  struct sl_launch_sampler *s = open_sampler(12, 1);
  for (unsigned i = 0; i < 1000; i++) {
    const bool timed = launch(s, &key, 100, 500);
    assert_true(timed || i >= 12);
  }
  const struct sl_launch_cluster c = sl_launch_sampler_cluster(s, 0);
  assert_int_equal(sl_launch_sampler_clusters(s), 1);
  assert_int_equal(c.launches, 1000);
  assert_true(c.timed > 55 && c.timed < 75);
  assert_int_equal(sl_launch_sampler_untimed(s), 1000 - c.timed);
  sl_launch_sampler_close(s);
}

static void other_kernels_blocks_and_powers_of_four_are_other_clusters(void **state)
{
  (void)state;
  struct sl_launch_sampler *s = open_sampler(2, 1);
  struct sl_launch_key other = key;
  launch(s, &key, 10, 10);
  other.grid[0] = 15;
  launch(s, &other, 10, 10); /* 4 to 15 blocks */
  assert_int_equal(sl_launch_sampler_clusters(s), 1);
  other.grid[1] = 2;
  launch(s, &other, 10, 10);
  other = key, other.block[0] = 32;
  launch(s, &other, 10, 10);
  other = key, other.shared = 32;
  launch(s, &other, 10, 10);
  other = key, other.kernel = "l";
  launch(s, &other, 10, 10);
  assert_int_equal(sl_launch_sampler_clusters(s), 5);
  assert_int_equal(sl_launch_sampler_cluster(s, 0).most_blocks, 15);
  sl_launch_sampler_close(s);
}

/* Cycles are 7 x instructions, which differ: interpolation between neighbours is exact, but not beyond what was timed.
 */
static void launches_between_timed_ones_are_interpolated(void **state)
{
  (void)state;
  struct sl_launch_sampler *s = open_sampler(8, 1);
  uint64_t total = 0, seen = 0;
  for (unsigned i = 0; i < 400; i++) {
    const uint64_t n = 1000 + i * 37 % 101;
    launch(s, &key, n, 7 * n);
    total += 7 * n;
  }
  sl_launch_sampler_settle(s);
  const struct sl_launch_sum sum = sl_launch_sampler_sum(s, CYCLES);
  assert_true(fabs(sum.value - (double)total) <= sum.bar);
  assert_true(sum.bar < 0.002 * (double)total);
  for (size_t i = 0; i < 400; i++) {
    const uint64_t n = 1000 + i * 37 % 101;
    uint64_t of[COUNTERS] = {7 * n, n, 3 * n};
    seen += sl_launch_sampler_predict(s, i, of);
    assert_int_equal(of[INSTRUCTIONS], n); /* functional execution counts it */
    assert_true(of[OTHER] > 2990 && of[OTHER] < 3310);
  }
  assert_int_equal(seen, sl_launch_sampler_untimed(s));
  sl_launch_sampler_close(s);
}

/* Two lengths without noise, but the first launch is cold: it counts for itself only. */
static void equal_launches_are_exact(void **state)
{
  (void)state;
  struct sl_launch_sampler *s = open_sampler(8, 3);
  for (unsigned i = 0; i < 500; i++)
    launch(s, &key, i % 2 ? 10 : 5000, i % 2 ? 900 : 7000);
  sl_launch_sampler_settle(s);
  const struct sl_launch_sum sum = sl_launch_sampler_sum(s, CYCLES);
  assert_true(fabs(sum.value - 250 * 7900) < 1e-6 && sum.bar < 1e-6);
  sl_launch_sampler_close(s);
}

/* Cycles with noise of 20 %, on instructions of three sizes with noise; of 500 seeds 95 % of intervals, less three
 * standard deviations of such a count, contain the sum. Intervals are not longer than 8 times the root of the mean
 * squared error. */
static void intervals_contain_the_sum(void **state)
{
  (void)state;
  unsigned inside = 0;
  double squares = 0, bars = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    struct sl_launch_sampler *s = open_sampler(SL_LAUNCHES_FIRST, seed);
    uint64_t random = seed * 1000000, total = 0;
    for (unsigned i = 0; i < 600; i++) {
      const double size = 1000 * pow(4, (double)(i % 3)) * (1 + noise(&random));
      const double cycles = (500 + 30 * sqrt(size)) * (0.8 + 0.4 * noise(&random));
      launch(s, &key, (uint64_t)size, (uint64_t)cycles);
      total += (uint64_t)cycles;
    }
    sl_launch_sampler_settle(s);
    const struct sl_launch_sum sum = sl_launch_sampler_sum(s, CYCLES);
    const double error = (sum.value - (double)total) / (double)total;
    inside += fabs(sum.value - (double)total) <= sum.bar;
    squares += error * error / 500;
    bars += sum.bar / (double)total / 500;
    sl_launch_sampler_close(s);
  }
  assert_true(inside >= 475 - 15);
  assert_true(bars < 8 * sqrt(squares));
}

/* Launches after a skip take 3 % longer: the interval has that. */
static void what_a_skip_changes_is_in_the_interval(void **state)
{
  (void)state;
  struct sl_launch_sampler *s = open_sampler(12, 1);
  bool skipped = false;
  for (unsigned i = 0; i < 300; i++)
    skipped |= !launch(s, &key, 100, skipped ? 1030 : 1000);
  sl_launch_sampler_settle(s);
  const struct sl_launch_sum sum = sl_launch_sampler_sum(s, CYCLES);
  assert_true(fabs(sum.value - 300000) <= sum.bar && sum.bar < 0.05 * 300000);
  sl_launch_sampler_close(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(timed_launches_grow_with_the_logarithm),
      cmocka_unit_test(other_kernels_blocks_and_powers_of_four_are_other_clusters),
      cmocka_unit_test(launches_between_timed_ones_are_interpolated),
      cmocka_unit_test(equal_launches_are_exact),
      cmocka_unit_test(intervals_contain_the_sum),
      cmocka_unit_test(what_a_skip_changes_is_in_the_interval),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
