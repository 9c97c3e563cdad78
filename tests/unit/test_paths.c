/* Paths: selection by nesting level and retry bit, divergence and reconvergence, against a model with state per thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/paths.h"
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
  sl_paths_start(&paths, 0xffffffff, 0x08000400);
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

static void a_path_that_retries_goes_before_its_equals(void **state)
{
  (void)state;
  const struct sl_path other = {.lanes = 0xf0, .pc = 8, .level = 3};
  struct sl_path retries = {.lanes = 0x0f, .pc = 4, .level = 3, .retry = true};
  struct sl_paths paths = two_paths(other, retries);
  assert_int_equal(sl_paths_select(&paths), 1);
  retries.level = 2; /* but not before a deeper one */
  paths = two_paths(other, retries);
  assert_int_equal(sl_paths_select(&paths), 0);
}

static void on_a_tie_the_path_with_the_highest_lane_runs(void **state)
{
  (void)state;
  const struct sl_path many = {.lanes = 0x7fffffff, .pc = 4}, high = {.lanes = 0x80000000, .pc = 8};
  struct sl_paths paths = two_paths(many, high);
  assert_int_equal(sl_paths_select(&paths), 1);
  paths = two_paths(high, many);
  assert_int_equal(sl_paths_select(&paths), 0);
}

static void a_branch_all_lanes_agree_on_keeps_one_path(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, 0xff, 100);
  sl_paths_branch(&paths, 0, 0xff, 200, 104);
  assert_int_equal(paths.count, 1);
  assert_int_equal(paths.path[0].pc, 200);
  sl_paths_branch(&paths, 0, 0, 300, 204);
  assert_int_equal(paths.count, 1);
  assert_int_equal(paths.path[0].pc, 204);
}

static void a_branch_lanes_disagree_on_splits(void **state)
{
  (void)state;
  struct sl_paths paths;
  sl_paths_start(&paths, 0xff, 100);
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
  sl_paths_start(&paths, 0xff, 100);
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
  sl_paths_start(&paths, 1, 100);
  paths.path[0].retry = true;
  sl_paths_advance(&paths, 0, 104);
  assert_false(paths.path[0].retry);
}

static void scattering_gives_each_target_one_path(void **state)
{
  (void)state;
  struct sl_paths paths;
  uint32_t target[8] = {40, 44, 40, 48, 44, 40, 48, 52};
  sl_paths_start(&paths, 0xff, 100);
  sl_paths_scatter(&paths, 0, target);
  assert_int_equal(paths.count, 4);
  for (unsigned i = 0; i < 4; i++)
    for (sl_lanes rest = paths.path[i].lanes; rest; rest &= rest - 1)
      assert_int_equal(target[sl_lowest(rest)], paths.path[i].pc);
}

/* ---- the hardware's state: one of these per thread ---- */

struct thread {
  uint32_t pc;
  unsigned level;
  bool retry;
};

enum { LANES = 16 };

static bool same(const struct thread *a, const struct thread *b)
{
  return a->pc == b->pc && a->level == b->level && a->retry == b->retry;
}

/* Section 2 of the specification: the greatest (level, retry), on a tie the highest lane; active are all lanes in the
 * leader's state. */
static sl_lanes active_lanes(const struct thread *threads)
{
  unsigned leader = 0;
  for (unsigned l = 1; l < LANES; l++)
    if (2 * threads[l].level + threads[l].retry >= 2 * threads[leader].level + threads[leader].retry)
      leader = l;
  sl_lanes active = 0;
  for (unsigned l = 0; l < LANES; l++)
    if (same(&threads[l], &threads[leader]))
      active |= sl_bit(l);
  return active;
}

static void check(const struct sl_paths *paths, const struct thread *threads)
{
  sl_lanes seen = 0;
  for (unsigned i = 0; i < paths->count; i++) {
    const struct sl_path *p = &paths->path[i];
    assert_true(p->lanes != 0 && (seen & p->lanes) == 0);
    seen |= p->lanes;
    const struct thread path = {p->pc, p->level, p->retry};
    for (unsigned l = 0; l < LANES; l++) /* exactly the lanes in this state: so no two paths are in the same */
      assert_true(same(&threads[l], &path) == (p->lanes >> l & 1));
  }
  assert_true(seen == sl_low_bits(LANES));
  assert_true(paths->path[sl_paths_select(paths)].lanes == active_lanes(threads));
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
    t->retry = kind == 0;
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
  case 0:
    p->retry = true;
    sl_paths_merge(paths, path);
    break;
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
  for (unsigned round = 0; round < 100; round++) {
    struct sl_paths paths;
    struct thread threads[LANES] = {{0}};
    sl_paths_start(&paths, sl_low_bits(LANES), 0);
    for (unsigned i = 0; i < 300; i++) {
      random_instruction(&paths, threads, &seed);
      check(&paths, threads);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_as_one_path),
      cmocka_unit_test(the_deeper_path_runs_first),
      cmocka_unit_test(a_path_that_retries_goes_before_its_equals),
      cmocka_unit_test(on_a_tie_the_path_with_the_highest_lane_runs),
      cmocka_unit_test(a_branch_all_lanes_agree_on_keeps_one_path),
      cmocka_unit_test(a_branch_lanes_disagree_on_splits),
      cmocka_unit_test(a_branch_to_the_next_instruction_does_not_split),
      cmocka_unit_test(paths_merge_when_pc_level_and_retry_are_equal),
      cmocka_unit_test(paths_of_different_level_or_retry_do_not_merge),
      cmocka_unit_test(advancing_clears_the_retry_bit),
      cmocka_unit_test(scattering_gives_each_target_one_path),
      cmocka_unit_test(random_programs_keep_the_state_of_every_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
