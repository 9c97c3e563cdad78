/* The bound on the waiting of paths: each lane that is not parked executes an instruction in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "convergence/convergence.h"
#include "func/path_warps.h"
#include "random.h"

enum { LANES = 8, PERIOD = 16, LONGEST = (LANES - 1) * 2 * PERIOD + PERIOD, COMMAND = 400 };

/* The selected path executes an instruction of a random program of jumps backwards: it spins unless others run. */
static void execute(struct sl_paths *paths, unsigned i, uint64_t *seed)
{
  const sl_lanes lanes = paths->path[i].lanes, taken = random32(seed) & random32(seed) & lanes;
  const uint32_t pc = paths->path[i].pc, kind = random32(seed) % 16;
  if (kind == 0 && paths->scheme == SL_CONVERGENCE_NESTING)
    sl_paths_mark(paths, i, SL_MARK_PUSH);
  else if (kind == 1 && paths->scheme == SL_CONVERGENCE_NESTING)
    sl_paths_mark(paths, i, SL_MARK_POP);
  if (kind == 2)
    sl_paths_retry(paths, i);
  else if (kind < 6)
    sl_paths_branch(paths, i, taken, 4 * (random32(seed) % 8), pc + 4);
  else
    sl_paths_advance(paths, i, pc < 64 ? pc + 4 : 0);
}

static void every_lane_executes_within_the_bound(void **state)
{
  (void)state;
  static const enum sl_scheme schemes[] = {SL_CONVERGENCE_NESTING, SL_CONVERGENCE_DEPTH_PC,
                                           SL_CONVERGENCE_SORTED_PATHS};
  for (unsigned s = 0; s < 3; s++) {
    struct sl_paths paths;
    unsigned waited[LANES] = {0}, longest = 0;
    uint64_t seed = 7;
    sl_paths_start(&paths, schemes[s], sl_low_bits(LANES), 0);
    paths.fair.period = PERIOD;
    for (unsigned n = 0; n < 200000; n++) {
      const unsigned i = sl_paths_select(&paths);
      sl_paths_count(&paths, i);
      for (unsigned l = 0; l < LANES; l++) {
        waited[l] = paths.path[i].lanes >> l & 1 ? 0 : waited[l] + 1;
        longest = waited[l] > longest ? waited[l] : longest;
      }
      execute(&paths, i, &seed);
      assert_null(sl_paths_broken(&paths, sl_low_bits(LANES)));
    }
    assert_in_range(longest, PERIOD, LONGEST);
  }
}

/* Two paths: the one that the order prefers spins. */
static void a_path_goes_first_for_a_period(void **state)
{
  (void)state;
  struct sl_paths paths;
  unsigned first = 0;
  sl_paths_start(&paths, SL_CONVERGENCE_DEPTH_PC, 3, 0);
  paths.fair.period = PERIOD;
  sl_paths_branch(&paths, 0, 1, 100, 0); /* lane 0 waits at 100 */
  for (unsigned n = 0; n < 4 * PERIOD; n++) {
    const unsigned i = sl_paths_select(&paths);
    first += paths.path[i].lanes == 2;
    assert_true(paths.path[i].lanes == (n / PERIOD % 4 == 1 ? 1 : 2));
    sl_paths_count(&paths, i);
  }
  assert_int_equal(first, 3 * PERIOD);
}

static void a_path_at_a_command_is_not_selected(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_DEPTH_PC, 3, 0);
  paths.fair.period = PERIOD;
  sl_paths_branch(&paths, 0, 1, COMMAND, COMMAND + 40);
  unsigned i = sl_paths_select(&paths);
  assert_true(paths.path[i].lanes == 1);
  assert_true(sl_paths_arrive(&paths, i));
  i = sl_paths_select(&paths);
  assert_true(paths.path[i].lanes == 2);
  assert_false(sl_paths_arrive(&paths, i)); /* at another command: nothing is left to run */
  sl_paths_advance(&paths, i, COMMAND);
  assert_int_equal(paths.count, 1);
}

/* Lanes at different distances before one command. The last path to arrive may be a favoured one. */
static void all_lanes_pass_a_command_at_which_they_meet(void **state)
{
  (void)state;
  static const enum sl_scheme schemes[] = {SL_CONVERGENCE_NESTING, SL_CONVERGENCE_DEPTH_PC,
                                           SL_CONVERGENCE_SORTED_PATHS};
  for (unsigned n = 0; n < 3 * 64 * 4; n++) {
    const uint32_t target[3] = {COMMAND - 4 * (n / 3 % 8), COMMAND, COMMAND - 4 * (n / 24 % 8)};
    struct sl_paths paths;
    sl_paths_start(&paths, schemes[n % 3], 7, 0);
    paths.fair.period = 1 + n / 192;
    sl_paths_scatter(&paths, 0, target);
    for (unsigned steps = 0; paths.count > 1; steps++) {
      const unsigned i = sl_paths_select(&paths);
      sl_paths_count(&paths, i);
      const uint32_t pc = paths.path[i].pc;
      if (pc == COMMAND)
        assert_true(sl_paths_arrive(&paths, i));
      sl_paths_advance(&paths, i, pc == COMMAND ? COMMAND : pc + 4);
      assert_in_range(steps, 0, 100);
    }
  }
}

/* What the machines of test builds check after each instruction. */
static void a_lane_that_waits_for_longer_is_found(void **state)
{
  (void)state;
  uint32_t waited[SL_MAX_LANES] = {0};
  struct sl_path_warps t = {.spec = {.lanes = LANES, .fairness = PERIOD}, .code.shift = 2, .waited = waited};
  const struct sl_warp_path path[] = {{0x0f, 0}, {0xf0, 100}};
  for (unsigned n = 0; n < LONGEST; n++)
    assert_null(sl_path_warps_waited(&t, 0, 0x0f, path, 2));
  assert_non_null(sl_path_warps_waited(&t, 0, 0x0f, path, 2));
  assert_null(sl_path_warps_waited(&t, 0, 0xf0, path, 2));
  for (unsigned n = 0; n < 2 * LONGEST; n++)
    assert_null(sl_path_warps_waited(&t, 0, 0xff, path, 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_lane_executes_within_the_bound),
      cmocka_unit_test(a_path_goes_first_for_a_period),
      cmocka_unit_test(a_path_at_a_command_is_not_selected),
      cmocka_unit_test(all_lanes_pass_a_command_at_which_they_meet),
      cmocka_unit_test(a_lane_that_waits_for_longer_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
