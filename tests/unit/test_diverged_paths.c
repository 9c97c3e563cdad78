/* Diverged paths as arrays (func/blocks/diverged_paths.c) compared with the functions of convergence/convergence.h: the
 * same list after every branch, jump and convergence mark, under nesting and by depth and PC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "func/blocks/path_blocks.h"
#include "random.h"

enum { WORDS = 24, ROUNDS = 20000 };

static void expect_same(const struct sl_paths *a, const struct sl_paths *b)
{
  assert_int_equal(a->count, b->count);
  for (unsigned i = 0; i < a->count; i++) {
    assert_int_equal(a->path[i].lanes, b->path[i].lanes);
    assert_int_equal(a->path[i].pc, b->path[i].pc);
    assert_int_equal(a->path[i].level, b->path[i].level);
    assert_false(b->path[i].retry);
  }
}

static uint32_t somewhere(uint64_t *seed)
{
  return (uint32_t)(random64(seed) % WORDS * 4);
}

/* One instruction of the selected path, in both implementations. */
static void change(struct sl_paths *paths, struct sl_diverged *apart, uint64_t *seed)
{
  const unsigned i = sl_paths_select(paths);
  struct sl_path *path = &paths->path[i];
  assert_int_equal(path->lanes, sl_diverged_lanes(apart));
  assert_int_equal(path->pc, sl_diverged_pc(apart));
  assert_int_equal(path->level, sl_diverged_level(apart));
  const uint32_t there = somewhere(seed), next = path->pc + 4;
  const sl_lanes taken = random64(seed) & path->lanes;
  const int up = random64(seed) % 2 ? 1 : -1;
  switch (random64(seed) % 4) {
  case 0:
    sl_diverged_move(apart, there);
    sl_paths_advance(paths, i, there);
    return;
  case 1:
    if ((up < 0 && path->level <= 0) || path->level + up > SL_NEST_MAX)
      return;
    sl_diverged_change_level(apart, up, next);
    path->level = (int16_t)(path->level + up);
    sl_paths_advance(paths, i, next);
    return;
  default:
    if (taken == 0 || taken == path->lanes || there == next)
      return;
    sl_diverged_split(apart, taken, there, next);
    sl_paths_branch(paths, i, taken, there, next);
    return;
  }
}

static void compare(enum sl_scheme scheme)
{
  uint64_t seed = 1 + (uint64_t)scheme;
  struct sl_paths paths, list;
  struct sl_diverged apart;
  unsigned most = 0;
  sl_paths_start(&paths, scheme, sl_low_bits(32), 0);
  assert_true(sl_diverged_begin(&apart, &paths));
  for (unsigned round = 0; round < ROUNDS; round++) {
    change(&paths, &apart, &seed);
    list = paths;
    sl_diverged_end(&apart, &list);
    expect_same(&paths, &list);
    most = paths.count > most ? paths.count : most;
    if (random64(&seed) % 500 == 0)
      sl_paths_start(&paths, scheme, sl_low_bits(32), somewhere(&seed));
    assert_true(sl_diverged_begin(&apart, &paths));
  }
  assert_true(most > 8);
}

static void nested_paths_equal_the_generic_functions(void **state)
{
  (void)state;
  compare(SL_CONVERGENCE_NESTING);
}

static void paths_by_depth_and_pc_equal_the_generic_functions(void **state)
{
  (void)state;
  compare(SL_CONVERGENCE_DEPTH_PC);
}

static void a_path_runs_alone_until_it_meets_one_of_its_level(void **state)
{
  (void)state;
  struct sl_paths paths;
  struct sl_diverged apart;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, sl_low_bits(32), 0);
  paths.count = 3;
  paths.path[0] = (struct sl_path){.lanes = 0xf0000000, .pc = 0x100, .level = 2};
  paths.path[1] = (struct sl_path){.lanes = 0x0ffffff0, .pc = 0x108, .level = 1};
  paths.path[2] = (struct sl_path){.lanes = 0x0000000f, .pc = 0x110, .level = 2};
  assert_true(sl_diverged_begin(&apart, &paths));
  assert_int_equal(sl_diverged_alone(&apart, 2, 3), 3);
  assert_int_equal(sl_diverged_alone(&apart, 2, 10), 4);
}

static void retrying_paths_are_refused(void **state)
{
  (void)state;
  struct sl_paths paths;
  struct sl_diverged apart;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, sl_low_bits(32), 0);
  sl_paths_branch(&paths, 0, 1, 0x40, 4);
  assert_true(sl_diverged_begin(&apart, &paths));
  sl_paths_retry(&paths, 0);
  assert_false(sl_diverged_begin(&apart, &paths));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_paths_equal_the_generic_functions),
      cmocka_unit_test(paths_by_depth_and_pc_equal_the_generic_functions),
      cmocka_unit_test(a_path_runs_alone_until_it_meets_one_of_its_level),
      cmocka_unit_test(retrying_paths_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
