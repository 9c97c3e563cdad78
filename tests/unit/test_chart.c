/* Charts: axes, bars, CSV and SVG from values; HTML escaping. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "observe/chart.h"
#include "observe/html.h"

static const struct sl_chart example = {
    .id = "example",
    .title = "Tall & <small>",
    .unit = "cycles",
    .group_title = "benchmark",
    .groups = {"one", "two \"2\"", "mean"},
    .group_count = 3,
    .series_count = 2,
    .mean_last = true,
    .series = {{.name = "a", .value = {10, 40, 20}}, {.name = "b", .value = {0, 20, 5}}},
};

static void near(double a, double b)
{
  assert_true(fabs(a - b) < 1e-9);
}

static void axes_have_round_steps(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  struct sl_chart_axis axis = sl_chart_axis(&chart);
  near(axis.least, 0);
  near(axis.greatest, 40);
  near(axis.step, 10);
  chart.series[1].value[0] = -11;
  axis = sl_chart_axis(&chart);
  near(axis.least, -20);
  near(axis.greatest, 40);
  near(axis.step, 20);
  chart.series[1].value[0] = -0.1;
  near(sl_chart_axis(&chart).least, 0);
  chart = example;
  chart.series[0].value[1] = 0.0321;
  chart.series_count = 1;
  chart.group_count = 2;
  chart.series[0].value[0] = 0;
  near(sl_chart_axis(&chart).greatest, 0.04);
  near(sl_chart_axis(&chart).step, 0.01);
}

static void an_axis_without_values_ends_at_one(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  memset(chart.series[0].value, 0, sizeof chart.series[0].value);
  memset(chart.series[1].value, 0, sizeof chart.series[1].value);
  const struct sl_chart_axis axis = sl_chart_axis(&chart);
  near(axis.least, 0);
  near(axis.greatest, 1);
  near(sl_chart_bar(&chart, &axis, 0, 0).height, 0);
}

static void heights_are_proportional_to_values(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  struct sl_chart_axis axis = sl_chart_axis(&chart);
  near(sl_chart_bar(&chart, &axis, 0, 0).height, SL_CHART_HEIGHT / 4.0);
  near(sl_chart_bar(&chart, &axis, 1, 0).height, SL_CHART_HEIGHT);
  near(sl_chart_bar(&chart, &axis, 1, 0).y, SL_CHART_TOP);
  near(sl_chart_bar(&chart, &axis, 1, 1).height, SL_CHART_HEIGHT / 2.0);
  near(sl_chart_bar(&chart, &axis, 0, 1).height, 0);
  chart.series[1].value[0] = -20;
  axis = sl_chart_axis(&chart);
  const struct sl_chart_bar below = sl_chart_bar(&chart, &axis, 0, 1);
  near(below.height, SL_CHART_HEIGHT / 3.0);
  near(below.y, sl_chart_y(&axis, 0));
}

static void numbers_fit_above_their_bars(void **state)
{
  (void)state;
  struct sl_chart chart = {.group_count = SL_CHART_GROUPS, .series_count = SL_CHART_SERIES, .mean_last = true};
  const struct sl_chart_axis axis = sl_chart_axis(&chart);
  assert_true(sl_chart_bar(&chart, &axis, 0, 0).width >= 10 - 1e-9);
  const struct sl_chart_bar last = sl_chart_bar(&chart, &axis, SL_CHART_GROUPS - 1, SL_CHART_SERIES - 1);
  assert_true(last.x + last.width <= SL_CHART_LEFT + sl_chart_width(&chart));
}

static void bars_stand_side_by_side(void **state)
{
  (void)state;
  const struct sl_chart_axis axis = sl_chart_axis(&example);
  double end = SL_CHART_LEFT, gap = 0;
  for (size_t g = 0; g < example.group_count; g++)
    for (size_t s = 0; s < example.series_count; s++) {
      const struct sl_chart_bar bar = sl_chart_bar(&example, &axis, g, s);
      assert_true(bar.x >= end - 1e-9);
      if (s == 0 && g == 1)
        gap = bar.x - end;
      if (s == 0 && g == 2)
        assert_true(bar.x - end > gap * 1.5);
      end = bar.x + bar.width;
    }
  assert_true(end <= SL_CHART_LEFT + sl_chart_width(&example));
}

static void bars_beyond_the_limit_are_cut(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  chart.limit = 20;
  const struct sl_chart_axis axis = sl_chart_axis(&chart);
  near(axis.greatest, 20);
  assert_true(sl_chart_bar(&chart, &axis, 1, 0).cut);
  near(sl_chart_bar(&chart, &axis, 1, 0).height, SL_CHART_HEIGHT);
  assert_false(sl_chart_bar(&chart, &axis, 2, 0).cut);
}

/* Returns the output of a function; the caller frees it. */
static char *written(void (*write)(const struct sl_chart *chart, FILE *file), const struct sl_chart *chart)
{
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  assert_non_null(file);
  write(chart, file);
  assert_int_equal(fclose(file), 0);
  return text;
}

static void csv_has_the_numbers(void **state)
{
  (void)state;
  char *text = written(sl_chart_csv, &example);
  assert_string_equal(text, "\"benchmark\",\"a (cycles)\",\"b (cycles)\"\n"
                            "\"one\",10,0\n"
                            "\"two \"\"2\"\"\",40,20\n"
                            "\"mean\",20,5\n");
  free(text);
}

static void draw(const struct sl_chart *chart, FILE *file)
{
  sl_svg_chart(file, chart);
}

static unsigned occurrences(const char *text, const char *what)
{
  unsigned count = 0;
  for (; (text = strstr(text, what)) != NULL; text++)
    count++;
  return count;
}

static void a_drawing_has_every_bar_and_a_description(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  chart.limit = 30;
  char *text = written(draw, &chart);
  assert_int_equal(occurrences(text, "class=\"bar s0\""), 3);
  assert_int_equal(occurrences(text, "class=\"bar s1\""), 3);
  assert_int_equal(occurrences(text, "<title>"), 6);
  assert_int_equal(occurrences(text, "class=\"number\""), 6);
  assert_int_equal(occurrences(text, "class=\"cut\""), 1);
  assert_non_null(strstr(text, "<title id=\"example-title\">Tall &amp; &lt;small&gt;</title>"));
  assert_non_null(strstr(text, "role=\"img\" aria-labelledby=\"example-title example-about\""));
  assert_non_null(strstr(text, "Bars in cycles for each benchmark: a, b."));
  assert_non_null(strstr(text, "<title>two &quot;2&quot;, a: 40 cycles</title>"));
  assert_non_null(strstr(text, ">40.0</text>"));
  assert_null(strstr(text, "nan"));
  free(text);
}

static void published_values_are_marks_beside_bars(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  assert_false(sl_chart_has_published(&chart));
  char *text = written(draw, &chart);
  assert_null(strstr(text, "class=\"published\""));
  assert_null(strstr(text, "as published"));
  free(text);
  chart.series[1].published[2] = (struct sl_chart_published){50, true};
  const struct sl_chart_axis axis = sl_chart_axis(&chart);
  near(axis.greatest, 50); /* above all bars */
  text = written(draw, &chart);
  assert_non_null(strstr(text, "as published"));
  assert_non_null(strstr(text, "<title>published: 50 cycles</title>"));
  assert_int_equal(occurrences(text, "class=\"published\""), 2); /* in the legend, and at the bar */
  assert_non_null(strstr(text, "class=\"number of-paper\""));    /* far from the bar of 5 */
  free(text);
  text = written(sl_chart_csv, &chart);
  assert_string_equal(text, "\"benchmark\",\"a (cycles)\",\"b (cycles)\",\"paper (cycles)\"\n"
                            "\"one\",10,0,\n"
                            "\"two \"\"2\"\"\",40,20,\n"
                            "\"mean\",20,5,50\n");
  free(text);
}

static void a_single_series_has_a_neutral_colour(void **state)
{
  (void)state;
  struct sl_chart chart = example;
  chart.series_count = 1;
  char *text = written(draw, &chart);
  assert_int_equal(occurrences(text, "class=\"bar only\""), 3);
  assert_null(strstr(text, "class=\"bar s0\""));
  free(text);
}

static void page(const struct sl_chart *chart, FILE *file)
{
  sl_html_begin(file, chart->title);
  sl_html_end(file, NULL);
}

static void pages_are_self_contained(void **state)
{
  (void)state;
  char *text = written(page, &example);
  assert_non_null(strstr(text, "<title>Tall &amp; &lt;small&gt;</title>"));
  assert_non_null(strstr(text, "prefers-color-scheme:dark"));
  assert_null(strstr(text, "http"));
  assert_null(strstr(text, "src="));
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes_have_round_steps),
      cmocka_unit_test(an_axis_without_values_ends_at_one),
      cmocka_unit_test(heights_are_proportional_to_values),
      cmocka_unit_test(numbers_fit_above_their_bars),
      cmocka_unit_test(bars_stand_side_by_side),
      cmocka_unit_test(bars_beyond_the_limit_are_cut),
      cmocka_unit_test(csv_has_the_numbers),
      cmocka_unit_test(a_drawing_has_every_bar_and_a_description),
      cmocka_unit_test(published_values_are_marks_beside_bars),
      cmocka_unit_test(a_single_series_has_a_neutral_colour),
      cmocka_unit_test(pages_are_self_contained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
