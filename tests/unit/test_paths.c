/* Paths: each scheme's selection rule, divergence and reconvergence, compared with a model with state per thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "convergence/convergence.h"
#include "random.h"

static struct sl_paths two_paths(struct sl_path a, struct sl_path b)
{
  struct sl_paths paths = {.count = 2};
  paths.path[0] = a;
  paths.path[1] = b;
  return paths;
}

static void starts_as_one_path(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, 0xffffffff, 0x08000400);
  assert_int_equal(paths.count, 1);
  assert_int_equal(sl_paths_select(&paths), 0);
  assert_true(paths.path[0].lanes == 0xffffffff);
  assert_int_equal(paths.path[0].pc, 0x08000400);
  assert_int_equal(paths.path[0].level, 0);
  assert_false(paths.path[0].retry);
}

static void the_deeper_path_runs_first(void **state)
{
  (void)state;
  const struct sl_path shallow = {.lanes = 0xff00, .pc = 8, .level = 1}, deep = {.lanes = 0x00ff, .pc = 4, .level = 2};
  struct sl_paths paths = two_paths(shallow, deep);
  assert_int_equal(sl_paths_select(&paths), 1);
  paths = two_paths(deep, shallow);
  assert_int_equal(sl_paths_select(&paths), 0);
}

static void a_retrying_path_precedes_its_equals(void **state)
{
  (void)state;
  const struct sl_path other = {.lanes = 0xf0, .pc = 8, .level = 3};
  struct sl_path retries = {.lanes = 0x0f, .pc = 4, .level = 3, .retry = true};
  struct sl_paths paths = two_paths(other, retries);
  assert_int_equal(sl_paths_select(&paths), 1);
  retries.level = 2; /* but not before a deeper path */
  paths = two_paths(other, retries);
  assert_int_equal(sl_paths_select(&paths), 0);
}

static void the_highest_lane_breaks_ties(void **state)
{
  (void)state;
  const struct sl_path many = {.lanes = 0x7fffffff, .pc = 4}, high = {.lanes = 0x80000000, .pc = 8};
  struct sl_paths paths = two_paths(many, high);
  assert_int_equal(sl_paths_select(&paths), 1);
  paths = two_paths(high, many);
  assert_int_equal(sl_paths_select(&paths), 0);
}

static void a_uniform_branch_keeps_one_path(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, 0xff, 100);
  sl_paths_branch(&paths, 0, 0xff, 200, 104);
  assert_int_equal(paths.count, 1);
  assert_int_equal(paths.path[0].pc, 200);
  sl_paths_branch(&paths, 0, 0, 300, 204);
  assert_int_equal(paths.count, 1);
  assert_int_equal(paths.path[0].pc, 204);
}

static void a_divergent_branch_splits(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, 0xff, 100);
  sl_paths_branch(&paths, 0, 0x3c, 200, 104);
  assert_int_equal(paths.count, 2);
  const unsigned taken = paths.path[0].pc == 200 ? 0 : 1;
  assert_true(paths.path[taken].lanes == 0x3c);
  assert_int_equal(paths.path[taken].pc, 200);
  assert_true(paths.path[!taken].lanes == 0xc3);
  assert_int_equal(paths.path[!taken].pc, 104);
}

static void a_branch_to_the_next_instruction_does_not_split(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, 0xff, 100);
  sl_paths_branch(&paths, 0, 0x0f, 104, 104);
  assert_int_equal(paths.count, 1);
  assert_int_equal(paths.path[0].pc, 104);
}

static void paths_merge_when_pc_level_and_retry_are_equal(void **state)
{
  (void)state;
  const struct sl_path ahead = {.lanes = 0xf0, .pc = 104, .level = 1};
  struct sl_paths paths = two_paths(ahead, (struct sl_path){.lanes = 0x0f, .pc = 100, .level = 1});
  sl_paths_advance(&paths, 1, 104);
  assert_int_equal(paths.count, 1);
  assert_true(paths.path[0].lanes == 0xff);
}

static void paths_of_different_level_or_retry_do_not_merge(void **state)
{
  (void)state;
  struct sl_paths paths = two_paths((struct sl_path){.lanes = 0xf0, .pc = 104, .level = 1},
                                    (struct sl_path){.lanes = 0x0f, .pc = 100, .level = 2});
  sl_paths_advance(&paths, 1, 104);
  assert_int_equal(paths.count, 2);
  paths =
      two_paths((struct sl_path){.lanes = 0xf0, .pc = 104, .retry = true}, (struct sl_path){.lanes = 0x0f, .pc = 100});
  sl_paths_advance(&paths, 1, 104);
  assert_int_equal(paths.count, 2);
}

static void advancing_clears_the_retry_bit(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, 1, 100);
  paths.path[0].retry = true;
  sl_paths_advance(&paths, 0, 104);
  assert_false(paths.path[0].retry);
}

static void scattering_gives_each_target_one_path(void **state)
{
  (void)state;
  struct sl_paths paths;
  uint32_t target[8] = {40, 44, 40, 48, 44, 40, 48, 52};
  sl_paths_start(&paths, SL_CONVERGENCE_NESTING, 0xff, 100);
  sl_paths_scatter(&paths, 0, target);
  assert_int_equal(paths.count, 4);
  for (unsigned i = 0; i < 4; i++)
    for (sl_lanes rest = paths.path[i].lanes; rest; rest &= rest - 1)
      assert_int_equal(target[sl_lowest(rest)], paths.path[i].pc);
}

/* ---- the hardware's state, one record per thread ---- */

struct thread {
  uint32_t pc;
  int level;
  bool retry;
};

enum { LANES = 16 };

static bool same(const struct thread *a, const struct thread *b)
{
  return a->pc == b->pc && a->level == b->level && a->retry == b->retry;
}

/* Nesting: the greatest (level, retry); the highest lane breaks ties. */
static bool nested_first(const struct thread *a, const struct thread *b)
{
  return 2 * a->level + a->retry >= 2 * b->level + b->retry;
}

/* Depth and PC: the deepest call, then the lowest PC. */
static bool deep_first(const struct thread *a, const struct thread *b)
{
  return a->level > b->level || (a->level == b->level && a->pc < b->pc);
}

/* All lanes in the leader's state are active. */
static sl_lanes active_lanes(const struct thread *threads, enum sl_scheme scheme)
{
  unsigned leader = 0;
  for (unsigned l = 1; l < LANES; l++)
    if (scheme == SL_CONVERGENCE_NESTING ? nested_first(&threads[l], &threads[leader])
                                         : deep_first(&threads[l], &threads[leader]))
      leader = l;
  sl_lanes active = 0;
  for (unsigned l = 0; l < LANES; l++)
    if (same(&threads[l], &threads[leader]))
      active |= sl_bit(l);
  return active;
}

/* Sorted paths may hold one state in two paths for a while, and in another order: checks only that all lanes and their
 * states are there. */
static void check(const struct sl_paths *paths, const struct thread *threads)
{
  const bool sorted = paths->scheme == SL_CONVERGENCE_SORTED_PATHS;
  sl_lanes seen = 0;
  for (unsigned i = 0; i < paths->count; i++) {
    const struct sl_path *p = &paths->path[i];
    assert_true(p->lanes != 0 && (seen & p->lanes) == 0);
    seen |= p->lanes;
    const struct thread path = {p->pc, p->level, p->retry};
    for (unsigned l = 0; l < LANES; l++) /* exactly the lanes in this state, so no two paths share a state */
      assert_true(same(&threads[l], &path) == (p->lanes >> l & 1) || (sorted && !(p->lanes >> l & 1)));
  }
  assert_true(seen == sl_low_bits(LANES));
  const char *broken = sl_paths_broken(paths, seen);
  if (broken != NULL)
    fail_msg("%s", broken);
  if (!sorted)
    assert_true(paths->path[sl_paths_select(paths)].lanes == active_lanes(threads, paths->scheme));
}

/* One instruction of a random kind on the active path of both models. */
static void random_instruction(struct sl_paths *paths, struct thread *threads, uint64_t *seed)
{
  const unsigned path = sl_paths_select(paths), kind = random_below(seed, 8);
  const sl_lanes active = paths->path[path].lanes, taken = active & random64(seed);
  const uint32_t next = paths->path[path].pc + 4, away = 4 * random_below(seed, 12);
  uint32_t target[LANES];
  for (unsigned l = 0; l < LANES; l++) {
    target[l] = 4 * random_below(seed, 4);
    struct thread *t = &threads[l];
    if (!(active >> l & 1))
      continue;
    t->retry = kind == 0 && paths->scheme == SL_CONVERGENCE_NESTING;
    switch (kind) {
    case 0: break;
    case 1: t->level += t->level < SL_NEST_MAX; break;
    case 2: t->level -= t->level > 0; break;
    case 3: t->pc = target[l]; break;
    case 4:
    case 5: t->pc = taken >> l & 1 ? away : next; break;
    default: t->pc = next % 48; break;
    }
  }
  struct sl_path *p = &paths->path[path];
  switch (kind) {
  case 0: sl_paths_retry(paths, path); break;
  case 1:
  case 2:
    if (kind == 1 && p->level < SL_NEST_MAX)
      p->level++;
    else if (kind == 2 && p->level > 0)
      p->level--;
    sl_paths_advance(paths, path, p->pc);
    break;
  case 3: sl_paths_scatter(paths, path, target); break;
  case 4:
  case 5: sl_paths_branch(paths, path, taken, away, next); break;
  default: sl_paths_advance(paths, path, next % 48); break;
  }
}

static void random_programs_keep_the_state_of_every_thread(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (unsigned round = 0; round < 300; round++) {
    struct sl_paths paths;
    struct thread threads[LANES] = {{0}};
    sl_paths_start(&paths, (enum sl_scheme)(round % 3), sl_low_bits(LANES), 0);
    for (unsigned i = 0; i < 300; i++) {
      random_instruction(&paths, threads, &seed);
      check(&paths, threads);
    }
  }
}

/* ---- the order of call depth and PC ---- */

static struct sl_paths by_depth(struct sl_path a, struct sl_path b)
{
  struct sl_paths paths = two_paths(a, b);
  paths.scheme = SL_CONVERGENCE_DEPTH_PC;
  return paths;
}

static void the_lowest_pc_runs_first_at_one_depth(void **state)
{
  (void)state;
  const struct sl_path high = {.lanes = 0xf0, .pc = 108}, low = {.lanes = 0x0f, .pc = 104};
  struct sl_paths paths = by_depth(high, low);
  assert_int_equal(sl_paths_select(&paths), 1);
  paths = by_depth(low, high);
  assert_int_equal(sl_paths_select(&paths), 0);
}

static void the_deepest_call_runs_first_at_any_pc(void **state)
{
  (void)state;
  const struct sl_path caller = {.lanes = 0xf0, .pc = 100}, called = {.lanes = 0x0f, .pc = 400, .level = 1};
  struct sl_paths paths = by_depth(caller, called);
  assert_int_equal(sl_paths_select(&paths), 1);
  const struct sl_path outside = {.lanes = 0x0f, .pc = 4, .level = -1}; /* returned more often than called */
  paths = by_depth(outside, caller);
  assert_int_equal(sl_paths_select(&paths), 1);
}

static void retries_do_not_count_by_depth_and_pc(void **state)
{
  (void)state;
  struct sl_paths paths =
      by_depth((struct sl_path){.lanes = 0xf0, .pc = 104}, (struct sl_path){.lanes = 0x0f, .pc = 100});
  sl_paths_retry(&paths, 1);
  assert_int_equal(paths.count, 2);
  assert_int_equal(sl_paths_select(&paths), 1);
  assert_false(paths.path[1].retry);
  sl_paths_advance(&paths, 1, 104);
  assert_int_equal(paths.count, 1);
}

static void lanes_that_left_a_loop_wait_after_it(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_DEPTH_PC, 0x0f, 100);
  for (sl_lanes stay = 0x0e; stay != 0; stay &= stay - 1) { /* one more lane leaves in every iteration */
    sl_paths_branch(&paths, sl_paths_select(&paths), stay, 96, 104);
    assert_true(paths.path[sl_paths_select(&paths)].lanes == stay);
    sl_paths_advance(&paths, sl_paths_select(&paths), 100);
  }
  sl_paths_advance(&paths, sl_paths_select(&paths), 104);
  assert_int_equal(paths.count, 1);
  assert_true(paths.path[0].lanes == 0x0f);
}

/* ---- sorted paths ---- */

static void sorted_paths_follow_the_same_order_with_two_paths(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, SL_CONVERGENCE_SORTED_PATHS, 0xff, 100);
  sl_paths_branch(&paths, 0, 0x0f, 200, 104);
  assert_true(paths.path[sl_paths_select(&paths)].lanes == 0xf0);
  sl_paths_advance(&paths, 0, 300); /* the other is first now */
  assert_true(paths.path[sl_paths_select(&paths)].lanes == 0x0f);
  sl_paths_advance(&paths, 0, 300);
  assert_int_equal(paths.count, 1);
  assert_true(paths.path[0].lanes == 0xff);
  assert_int_equal(paths.path[0].pc, 300);
}

/* A path from the cold table has not been compared: it may be out of order until the sorter has compared the others. */
static void the_sorter_finds_the_first_path(void **state)
{
  (void)state;
  struct sl_paths paths;
  const uint32_t target[4] = {400, 108, 300, 200};
  sl_paths_start(&paths, SL_CONVERGENCE_SORTED_PATHS, 0xf, 100);
  sl_paths_scatter(&paths, 0, target);
  assert_int_equal(paths.count, 4);
  assert_int_equal(paths.path[0].pc, 108);
  assert_false(sl_paths_arrive(&paths, 0));
  sl_paths_advance(&paths, 0, 500);
  for (unsigned i = 0; i < 16; i++)
    sl_paths_advance(&paths, 0, paths.path[0].pc);
  assert_int_equal(paths.path[0].pc, 200);
  assert_false(sl_paths_arrive(&paths, 0));
}

static void invalid_paths_are_detected(void **state)
{
  (void)state;
  struct sl_paths paths =
      by_depth((struct sl_path){.lanes = 0xf0, .pc = 104}, (struct sl_path){.lanes = 0x0f, .pc = 100});
  assert_null(sl_paths_broken(&paths, 0xff));
  assert_string_equal(sl_paths_broken(&paths, 0x1ff), "the paths of a warp do not cover its lanes");
  paths.path[1].pc = 104;
  assert_string_equal(sl_paths_broken(&paths, 0xff), "two paths of a warp are in the same state");
  paths.path[1].lanes = 0x1f;
  assert_string_equal(sl_paths_broken(&paths, 0xff), "two paths of a warp share a lane");
  paths.path[1].lanes = 0;
  assert_string_equal(sl_paths_broken(&paths, 0xff), "a path of a warp has no lanes");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_as_one_path),
      cmocka_unit_test(the_deeper_path_runs_first),
      cmocka_unit_test(a_retrying_path_precedes_its_equals),
      cmocka_unit_test(the_highest_lane_breaks_ties),
      cmocka_unit_test(a_uniform_branch_keeps_one_path),
      cmocka_unit_test(a_divergent_branch_splits),
      cmocka_unit_test(a_branch_to_the_next_instruction_does_not_split),
      cmocka_unit_test(paths_merge_when_pc_level_and_retry_are_equal),
      cmocka_unit_test(paths_of_different_level_or_retry_do_not_merge),
      cmocka_unit_test(advancing_clears_the_retry_bit),
      cmocka_unit_test(scattering_gives_each_target_one_path),
      cmocka_unit_test(random_programs_keep_the_state_of_every_thread),
      cmocka_unit_test(the_lowest_pc_runs_first_at_one_depth),
      cmocka_unit_test(the_deepest_call_runs_first_at_any_pc),
      cmocka_unit_test(retries_do_not_count_by_depth_and_pc),
      cmocka_unit_test(lanes_that_left_a_loop_wait_after_it),
      cmocka_unit_test(sorted_paths_follow_the_same_order_with_two_paths),
      cmocka_unit_test(the_sorter_finds_the_first_path),
      cmocka_unit_test(invalid_paths_are_detected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
