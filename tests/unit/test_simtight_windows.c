/* Issue windows compared with the cycle loop. */
#include "simtight_pair.h"

static void issue_windows_equal_the_cycle_loop(void **state)
{
  (void)state;
  struct pair p = {.kernel = {.random = 1, .iterations = 2}, .observed = true, .shortest = 0, .longest = 9};
  for (unsigned i = 0; i < kernels(25); i++) {
    create(&p);
    add_kernel(&p.kernel);
    run(&p);
    destroy(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(issue_windows_equal_the_cycle_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
