/* Post-dominators of small flow graphs, compared with results by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/dominators.h"

static void both_sides_of_a_branch_reconverge_at_the_join(void **state)
{
  /* 1 branches to 2 and 3, both go to 4, which goes to 5 and that to the end. */
  const uint32_t next[][2] = {{0, 0}, {2, 3}, {4, 4}, {4, 4}, {5, 5}, {0, 0}};
  uint32_t ipdom[6];
  (void)state;
  assert_true(sl_post_dominators(next, 6, ipdom));
  assert_int_equal(ipdom[1], 4);
  assert_int_equal(ipdom[2], 4);
  assert_int_equal(ipdom[3], 4);
  assert_int_equal(ipdom[4], 5);
  assert_int_equal(ipdom[5], 0);
}

static void lanes_that_leave_a_loop_reconverge_after_it(void **state)
{
  /* 1 enters the loop 2 -> 3 -> 2, which 2 and 3 can leave for 4. */
  const uint32_t next[][2] = {{0, 0}, {2, 2}, {3, 4}, {2, 4}, {0, 0}};
  uint32_t ipdom[5];
  (void)state;
  assert_true(sl_post_dominators(next, 5, ipdom));
  assert_int_equal(ipdom[2], 4);
  assert_int_equal(ipdom[3], 4);
}

static void a_side_that_ends_moves_reconvergence_to_the_end(void **state)
{
  const uint32_t next[][2] = {{0, 0}, {2, 3}, {0, 0}, {0, 0}};
  uint32_t ipdom[4];
  (void)state;
  assert_true(sl_post_dominators(next, 4, ipdom));
  assert_int_equal(ipdom[1], 0);
}

static void blocks_that_never_end_have_no_post_dominator(void **state)
{
  /* 2 loops forever: its predecessors reconverge where the other path goes. */
  const uint32_t next[][2] = {{0, 0}, {2, 3}, {2, 2}, {0, 0}};
  uint32_t ipdom[4];
  (void)state;
  assert_true(sl_post_dominators(next, 4, ipdom));
  assert_int_equal(ipdom[2], SL_NO_POST_DOMINATOR);
  assert_int_equal(ipdom[1], 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_sides_of_a_branch_reconverge_at_the_join),
      cmocka_unit_test(lanes_that_leave_a_loop_reconverge_after_it),
      cmocka_unit_test(a_side_that_ends_moves_reconvergence_to_the_end),
      cmocka_unit_test(blocks_that_never_end_have_no_post_dominator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
