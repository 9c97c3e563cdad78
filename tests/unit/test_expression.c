/* Expressions of studies: values, names, texts, and sentences for what is wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lab/study/study.h"

/* The number of an expression in which lanes is 8, warps is 4, and machine is "simtight". */
static double number_of(const char *text)
{
  static const struct {
    const char *name;
    struct sl_datum value;
  } known[] = {{"lanes", {NULL, 8}}, {"warps", {NULL, 4}}, {"dram.latency", {NULL, 30}}, {"machine", {"simtight", 0}}};
  struct sl_expression *expression;
  struct sl_error err = {0};
  struct sl_datum values[8] = {{0}};
  if (sl_expression_parse(&expression, text, &err) != SL_OK)
    fail_msg("%s: %s", text, err.text);
  for (size_t i = 0; i < sl_expression_name_count(expression); i++)
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      if (strcmp(sl_expression_name(expression, i), known[k].name) == 0)
        values[i] = known[k].value;
  const struct sl_datum value = sl_expression_value(expression, values);
  sl_expression_free(expression);
  return value.text != NULL ? -1e9 : value.number;
}

static void computes(void **state)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"-2 * -3", 6},
      {"7 % 4 + 2e1", 23},
      {"lanes * warps / 2", 16},
      {"lanes*warps<=32 && lanes>warps", 1},
      {"lanes < warps || !(warps == 4)", 0},
      {"dram.latency != 30", 0},
      {"machine == \"simtight\"", 1},
      {"machine != 'simtight' || true", 1},
      {"machine == 4", 0},
      {"max(lanes, pow(warps, 2)) + min(1, 2)", 17},
      {"if(lanes > 4, sqrt(16), 0) + log2(lanes) + abs(-1) + floor(1.5) + ceil(1.5)", 11},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (number_of(cases[i].text) != cases[i].value)
      fail_msg("%s is %g", cases[i].text, number_of(cases[i].text));
}

static void what_cannot_be_computed_is_no_number(void **state)
{
  static const char *const texts[] = {"1 / 0",         "1 + 1 / (lanes - 8)", "machine + 1",
                                      "max(1 / 0, 3)", "min(3, 1 % 0)",       "sqrt(-1)"};
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!isnan(number_of(texts[i])))
      fail_msg("%s is %g", texts[i], number_of(texts[i]));
  assert_false(sl_datum_holds((struct sl_datum){NULL, NAN}));
}

static void names_the_column(void **state)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"", "column 1 "},
      {"lanes +", "column 8 "},
      {"(1", "a ')' is missing"},
      {"1 2", "an operator is missing"},
      {"cos(1)", "no such function"},
      {"min(1)", "a comma is missing"},
      {"\"x", "no closing quote"},
      {"max(1, 2", "a ')' is missing"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sl_expression *expression;
    struct sl_error err = {0};
    assert_int_equal(sl_expression_parse(&expression, cases[i].text, &err), SL_USAGE);
    if (strstr(err.text, cases[i].sentence) == NULL)
      fail_msg("'%s': %s", cases[i].text, err.text);
    sl_expression_free(expression);
  }
}

/* Deep nesting and long expressions are errors, not a full stack. */
static void bounds_size(void **state)
{
  static const char *const units[] = {"(", "-", "1+", "a(", "x|", "min(1,"};
  char text[8000];
  (void)state;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    struct sl_expression *expression;
    struct sl_error err = {0};
    text[0] = '\0';
    while (strlen(text) + 8 < sizeof text)
      strcat(text, units[i]);
    strcat(text, "1");
    assert_int_equal(sl_expression_parse(&expression, text, &err), SL_USAGE);
    sl_expression_free(expression);
  }
}

static void finds_cycles(void **state)
{
  static const char *const texts[] = {"b + cycles", "c * 2", "if(x, a, 1)", "a"};
  struct sl_metric metrics[4] = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}};
  struct sl_error err = {0};
  size_t at = 9;
  (void)state;
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(sl_expression_parse(&metrics[i].expression, texts[i], &err), SL_OK);
  assert_int_equal(sl_metrics_check(metrics, 2, &at, &err), SL_OK);
  assert_int_equal(sl_metrics_check(metrics, 4, &at, &err), SL_USAGE);
  assert_string_equal(err.text, "metric 'a' uses itself: a -> b -> c -> a");
  assert_int_equal(at, 0);
  for (size_t i = 0; i < 4; i++)
    sl_expression_free(metrics[i].expression);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(computes),         cmocka_unit_test(what_cannot_be_computed_is_no_number),
      cmocka_unit_test(names_the_column), cmocka_unit_test(bounds_size),
      cmocka_unit_test(finds_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
