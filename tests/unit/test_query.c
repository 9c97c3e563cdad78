/* Student's quantiles, on which confidence intervals depend. tests/cli/query.sh covers queries. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lab/query.h"

static void has_the_published_quantiles(void **state)
{
  static const struct {
    size_t count;
    double quantile;
  } cases[] = {{2, 12.706},  {3, 4.303},   {11, 2.228},   {31, 2.042},   {32, 2.0395},
               {41, 2.0211}, {61, 2.0003}, {121, 1.9799}, {1001, 1.9623}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (fabs(sl_student(cases[i].count) - cases[i].quantile) > 1e-4)
      fail_msg("%zu: %.5f", cases[i].count, sl_student(cases[i].count));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(has_the_published_quantiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
