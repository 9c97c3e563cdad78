/* Comparison of results with bounds, on invented values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/verify/records.h"

static const struct sl_bounds bounds = {.kernel_mean = 5, .kernel_worst = 12, .slope_worst = 5};

static struct sl_bounded_run run_of(const char *name, bool kernel, double ours, double recorded)
{
  return (struct sl_bounded_run){
      .name = name, .kernel = kernel, .cycles = {ours, recorded}, .instructions = {{7, 7}, {112, 112}}};
}

static bool near(double a, double b)
{
  return fabs(a - b) < 1e-9;
}

static void differences_are_percentages_of_the_recorded_value(void **state)
{
  (void)state;
  assert_true(near(sl_bounded_difference((struct sl_bounded_value){110, 100}), 10));
  assert_true(near(sl_bounded_difference((struct sl_bounded_value){150, 200}), -25));
  assert_true(sl_bounded_difference((struct sl_bounded_value){0, 0}) == 0);
  assert_true(isinf(sl_bounded_difference((struct sl_bounded_value){1, 0})));
}

static void kernels_have_a_mean_and_a_worst(void **state)
{
  (void)state;
  const struct sl_bounded_run runs[] = {run_of("a_1", true, 1000, 1000), run_of("a_2", true, 900, 1000),
                                        run_of("b_1", true, 1020, 1000)};
  const struct sl_bounds_verdict verdict = sl_bounds_judge(&bounds, runs, 3);
  assert_int_equal(verdict.kernels.count, 3);
  assert_int_equal(verdict.kernels.equal, 1);
  assert_true(near(verdict.kernels.mean, 4));
  assert_true(near(verdict.kernels.worst, 10));
  assert_string_equal(verdict.kernels.worst_name, "a_2");
  assert_int_equal(verdict.slopes.count, 0);
  assert_true(verdict.holds);
}

/* The bound is 12 %. */
static void a_kernel_beyond_the_worst_bound_fails(void **state)
{
  (void)state;
  struct sl_bounded_run runs[] = {run_of("a_1", true, 1120, 1000), run_of("b_1", true, 1000, 1000),
                                  run_of("c_1", true, 1000, 1000)};
  assert_true(sl_bounds_judge(&bounds, runs, 3).holds);
  runs[0].cycles.ours = 1121;
  const struct sl_bounds_verdict verdict = sl_bounds_judge(&bounds, runs, 3);
  assert_int_equal(verdict.kernels.outside, 1);
  assert_false(verdict.holds);
  runs[0].cycles.ours = 879;
  assert_false(sl_bounds_judge(&bounds, runs, 3).holds);
}

static void a_mean_beyond_its_bound_fails(void **state)
{
  (void)state;
  const struct sl_bounded_run runs[] = {run_of("a_1", true, 1060, 1000), run_of("b_1", true, 950, 1000)};
  const struct sl_bounds_verdict verdict = sl_bounds_judge(&bounds, runs, 2);
  assert_int_equal(verdict.kernels.outside, 0);
  assert_true(near(verdict.kernels.mean, 5.5));
  assert_false(verdict.holds);
}

/* 40 iterations; the common part of both programs of a pair does not count. */
static void the_mean_of_a_subset_is_not_checked(void **state)
{
  (void)state;
  const struct sl_bounded_run runs[] = {run_of("a_1", true, 1100, 1000), run_of("b_1", true, 1000, 1000)};
  struct sl_bounds few = {.kernel_mean = 1, .kernel_worst = 12, .slope_worst = 5, .kernels = 3};
  assert_true(sl_bounds_judge(&few, runs, 2).holds);
  few.kernels = 2;
  assert_false(sl_bounds_judge(&few, runs, 2).holds);
}

static void slopes_exclude_start_and_end(void **state)
{
  (void)state;
  const struct sl_bounded_run runs[] = {run_of("ub_x_a", false, 1500, 500), run_of("ub_x_b", false, 3500, 2500),
                                        run_of("ub_empty", false, 50, 1)};
  struct sl_bounded_value slope;
  assert_false(sl_bounded_slope(runs, 3, 0, &slope));
  assert_true(sl_bounded_slope(runs, 3, 1, &slope));
  assert_false(sl_bounded_slope(runs, 3, 2, &slope));
  assert_true(near(slope.ours, 50));
  assert_true(near(slope.recorded, 50));
  const struct sl_bounds_verdict verdict = sl_bounds_judge(&bounds, runs, 3);
  assert_int_equal(verdict.slopes.count, 1);
  assert_int_equal(verdict.slopes.equal, 1);
  assert_int_equal(verdict.kernels.count, 0);
  assert_null(verdict.slopes.worst_name);
  assert_true(verdict.holds);
}

static void a_slope_out_of_bounds_fails(void **state)
{
  (void)state;
  struct sl_bounded_run runs[] = {run_of("ub_x_a", false, 0, 0), run_of("ub_x_b", false, 1050, 1000)};
  assert_true(sl_bounds_judge(&bounds, runs, 2).holds);
  runs[1].cycles.ours = 1051;
  assert_false(sl_bounds_judge(&bounds, runs, 2).holds);
}

/* Names of which one is a prefix of the other are not a pair. */
static void pairs_differ_in_the_letter_only(void **state)
{
  (void)state;
  const struct sl_bounded_run runs[] = {run_of("ub_lw_a", false, 1, 1), run_of("ub_lw_chain_b", false, 1, 1),
                                        run_of("ub_lw_ab", false, 1, 1), run_of("b", false, 1, 1)};
  struct sl_bounded_value slope;
  for (size_t i = 0; i < 4; i++)
    assert_false(sl_bounded_slope(runs, 4, i, &slope));
}

static void numbers_of_instructions_must_be_equal(void **state)
{
  (void)state;
  for (unsigned k = 0; k < SL_BOUNDED_INSTRUCTIONS; k++) {
    struct sl_bounded_run runs[] = {run_of("ub_empty", false, 1, 1), run_of("a_1", true, 1000, 1000)};
    runs[k].instructions[k].ours++;
    assert_true(sl_bounded_miscounts(&runs[k]));
    const struct sl_bounds_verdict verdict = sl_bounds_judge(&bounds, runs, 2);
    assert_int_equal(verdict.miscounted, 1);
    assert_false(verdict.holds);
  }
}

static void failed_programs_have_no_values(void **state)
{
  (void)state;
  struct sl_bounded_run runs[] = {run_of("ub_x_a", false, 0, 0), run_of("ub_x_b", false, 1000, 1000),
                                  run_of("a_1", true, 0, 1000)};
  struct sl_bounded_value slope;
  runs[0].failed = runs[2].failed = true;
  assert_false(sl_bounded_slope(runs, 3, 1, &slope));
  const struct sl_bounds_verdict verdict = sl_bounds_judge(&bounds, runs, 3);
  assert_int_equal(verdict.failed, 2);
  assert_int_equal(verdict.kernels.count + verdict.slopes.count, 0);
  assert_int_equal(verdict.miscounted, 0);
  assert_false(verdict.holds);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_are_percentages_of_the_recorded_value),
      cmocka_unit_test(kernels_have_a_mean_and_a_worst),
      cmocka_unit_test(a_kernel_beyond_the_worst_bound_fails),
      cmocka_unit_test(a_mean_beyond_its_bound_fails),
      cmocka_unit_test(the_mean_of_a_subset_is_not_checked),
      cmocka_unit_test(slopes_exclude_start_and_end),
      cmocka_unit_test(a_slope_out_of_bounds_fails),
      cmocka_unit_test(pairs_differ_in_the_letter_only),
      cmocka_unit_test(numbers_of_instructions_must_be_equal),
      cmocka_unit_test(failed_programs_have_no_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
