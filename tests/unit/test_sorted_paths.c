/* Path tracking by (call depth, PC): order, merging, the stack of cold paths and its sorter (RR-8944, section 3.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "convergence/sorted_paths.h"
#include "random.h"

static struct sl_ordered_path at(sl_lanes lanes, uint32_t pc, uint8_t depth)
{
  return sl_ordered_path(lanes, pc, depth);
}

static void is(struct sl_ordered_path p, sl_lanes lanes, uint32_t pc, uint8_t depth)
{
  assert_true(p.lanes == lanes);
  if (lanes == 0)
    return;
  assert_int_equal(sl_path_pc(p), pc);
  assert_int_equal(sl_path_depth(p), depth);
}

static struct sl_sorted_paths started(void)
{
  struct sl_sorted_paths p;
  sl_sorted_paths_start(&p, 0xff, 0x200);
  return p;
}

/* The running path, the next, and a stack from bottom to top. */
static struct sl_sorted_paths four_paths(uint32_t running, uint32_t next, uint32_t bottom, uint32_t top)
{
  struct sl_sorted_paths p = {.running = at(1, running, 0), .next = at(2, next, 0), .cold_count = 2};
  p.cold[0] = at(4, bottom, 0);
  p.cold[1] = at(8, top, 0);
  return p;
}

static void all_lanes_start_as_one_path(void **state)
{
  (void)state;
  const struct sl_sorted_paths p = started();
  is(p.running, 0xff, 0x200, 0);
  is(p.next, 0, 0, 0);
  assert_int_equal(p.cold_count, 0);
  assert_null(sl_sorted_paths_broken(&p, 0xff));
}

static void the_lower_address_runs_first(void **state)
{
  (void)state;
  struct sl_sorted_paths p = started();
  assert_false(sl_sorted_paths_update(&p, at(0xf0, 0x204, 0), at(0x0f, 0x300, 0)));
  is(p.running, 0xf0, 0x204, 0);
  is(p.next, 0x0f, 0x300, 0);
  p = started();
  sl_sorted_paths_update(&p, at(0xf0, 0x204, 0), at(0x0f, 0x100, 0));
  is(p.running, 0x0f, 0x100, 0);
}

static void the_deeper_call_runs_first_at_any_address(void **state)
{
  (void)state;
  struct sl_sorted_paths p = started();
  sl_sorted_paths_update(&p, at(0xf0, 0x204, 0), at(0x0f, 0x300, 1));
  is(p.running, 0x0f, 0x300, 1);
  is(p.next, 0xf0, 0x204, 0);
}

static void paths_merge_only_at_equal_depth(void **state)
{
  (void)state;
  struct sl_sorted_paths p = started();
  sl_sorted_paths_update(&p, at(0xf0, 0x204, 0), at(0x0f, 0x300, 0));
  sl_sorted_paths_update(&p, at(0xf0, 0x300, 1), sl_no_path());
  is(p.running, 0xf0, 0x300, 1);
  is(p.next, 0x0f, 0x300, 0);
  sl_sorted_paths_update(&p, at(0xf0, 0x300, 0), sl_no_path());
  is(p.running, 0xff, 0x300, 0);
  is(p.next, 0, 0, 0);
}

static void three_paths_of_one_address_become_one(void **state)
{
  (void)state;
  struct sl_sorted_paths p = {.running = at(3, 0x200, 0), .next = at(4, 0x300, 0)};
  sl_sorted_paths_update(&p, at(1, 0x300, 0), at(2, 0x300, 0));
  is(p.running, 7, 0x300, 0);
  is(p.next, 0, 0, 0);
}

static void the_third_path_is_pushed(void **state)
{
  (void)state;
  struct sl_sorted_paths p = {.running = at(3, 0x200, 0), .next = at(4, 0x300, 0)};
  assert_true(sl_sorted_paths_update(&p, at(1, 0x204, 0), at(2, 0x400, 0)));
  is(p.running, 1, 0x204, 0);
  is(p.next, 4, 0x300, 0);
  assert_int_equal(p.cold_count, 1);
  is(p.cold[0], 2, 0x400, 0);
}

/* Only the next instruction compares the popped path with the running one. */
static void a_lone_path_pops_without_comparing(void **state)
{
  (void)state;
  struct sl_sorted_paths p = four_paths(0x200, 0x300, 0x80, 0x100);
  assert_true(sl_sorted_paths_update(&p, at(1, 0x300, 0), sl_no_path()));
  is(p.running, 3, 0x300, 0);
  is(p.next, 8, 0x100, 0);
  assert_int_equal(p.cold_count, 1);
  assert_null(sl_sorted_paths_broken(&p, 15));
  assert_false(sl_sorted_paths_update(&p, at(3, 0x304, 0), sl_no_path()));
  is(p.running, 8, 0x100, 0);
  is(p.next, 3, 0x304, 0);
}

static void every_lane_may_have_its_own_path(void **state)
{
  (void)state;
  struct sl_sorted_paths p;
  sl_sorted_paths_start(&p, ~UINT64_C(0), 0x200);
  for (unsigned lane = 0; lane < 63; lane++) {
    const sl_lanes rest = ~sl_low_bits(lane + 1);
    sl_sorted_paths_update(&p, at(rest, 0x200, 0), at(sl_bit(lane), 0x1000 + 8 * lane, 0));
    assert_null(sl_sorted_paths_broken(&p, ~UINT64_C(0)));
  }
  assert_int_equal(p.cold_count, 62);
  for (unsigned lane = 0; lane < 64; lane++)
    assert_true(sl_sorted_paths_of(&p, lane).lanes == sl_bit(lane));
}

static void the_sorter_probes_one_place_a_visit(void **state)
{
  (void)state;
  struct sl_sorted_paths p = four_paths(0x200, 0x300, 0x280, 0x400);
  sl_sorted_paths_probe(&p); /* the top is in order */
  is(p.next, 2, 0x300, 0);
  assert_int_equal(p.probe, 1);
  sl_sorted_paths_probe(&p); /* the bottom is not */
  is(p.next, 4, 0x280, 0);
  is(p.cold[0], 2, 0x300, 0);
  assert_int_equal(p.probe, 0);
}

static void the_sorter_begins_again_after_the_bottom_and_after_the_stack_was_used(void **state)
{
  (void)state;
  struct sl_sorted_paths p = four_paths(0x200, 0x300, 0x500, 0x400);
  for (unsigned visit = 0; visit < 2; visit++)
    sl_sorted_paths_probe(&p);
  assert_int_equal(p.probe, 2);
  sl_sorted_paths_probe(&p);
  assert_int_equal(p.probe, 0);
  sl_sorted_paths_probe(&p);
  sl_sorted_paths_update(&p, at(1, 0x300, 0), sl_no_path());
  assert_int_equal(p.probe, 0);
}

static void the_sorter_leaves_equal_paths(void **state)
{
  (void)state;
  struct sl_sorted_paths p = four_paths(0x200, 0x300, 0x300, 0x300);
  for (unsigned visit = 0; visit < 5; visit++)
    sl_sorted_paths_probe(&p);
  is(p.next, 2, 0x300, 0);
}

static void settling_merges_and_sorts_everything(void **state)
{
  (void)state;
  struct sl_sorted_paths p = four_paths(0x200, 0x300, 0x300, 0x200);
  sl_sorted_paths_settle(&p);
  is(p.running, 9, 0x200, 0);
  is(p.next, 6, 0x300, 0);
  assert_int_equal(p.cold_count, 0);
  p = four_paths(0x200, 0x300, 0x100, 0x280);
  sl_sorted_paths_settle(&p);
  is(p.running, 4, 0x100, 0);
  assert_null(sl_sorted_paths_broken(&p, 15));
}

static void random_updates_keep_every_lane_on_one_path(void **state)
{
  (void)state;
  uint64_t random = 1;
  struct sl_sorted_paths p;
  sl_sorted_paths_start(&p, 0xffff, 0x200);
  for (unsigned i = 0; i < 100000; i++) {
    const sl_lanes all = p.running.lanes, some = all & random64(&random);
    const uint8_t depth = sl_path_depth(p.running), other = (uint8_t)(depth + random_below(&random, 3) - 1);
    const uint32_t pc = 0x200 + 4 * random_below(&random, 16);
    sl_sorted_paths_update(&p, at(all & ~some, sl_path_pc(p.running) + 4, depth), at(some, pc, other));
    if (i & 1)
      sl_sorted_paths_probe(&p);
    assert_null(sl_sorted_paths_broken(&p, 0xffff));
  }
}

static void invalid_sets_are_detected(void **state)
{
  (void)state;
  struct sl_sorted_paths p = four_paths(0x200, 0x300, 0x400, 0x500);
  assert_null(sl_sorted_paths_broken(&p, 15));
  assert_string_equal(sl_sorted_paths_broken(&p, 31), "the paths of a warp do not cover its lanes");
  p.cold[1].lanes = 12;
  assert_string_equal(sl_sorted_paths_broken(&p, 15), "two paths of a warp share a lane");
  p.cold[1].lanes = 0;
  assert_string_equal(sl_sorted_paths_broken(&p, 7), "the cold context table holds an empty path");
  p = four_paths(0x300, 0x300, 0x400, 0x500);
  assert_string_equal(sl_sorted_paths_broken(&p, 15), "the hot paths of a warp are not in order");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_lanes_start_as_one_path),
      cmocka_unit_test(the_lower_address_runs_first),
      cmocka_unit_test(the_deeper_call_runs_first_at_any_address),
      cmocka_unit_test(paths_merge_only_at_equal_depth),
      cmocka_unit_test(three_paths_of_one_address_become_one),
      cmocka_unit_test(the_third_path_is_pushed),
      cmocka_unit_test(a_lone_path_pops_without_comparing),
      cmocka_unit_test(every_lane_may_have_its_own_path),
      cmocka_unit_test(the_sorter_probes_one_place_a_visit),
      cmocka_unit_test(the_sorter_begins_again_after_the_bottom_and_after_the_stack_was_used),
      cmocka_unit_test(the_sorter_leaves_equal_paths),
      cmocka_unit_test(settling_merges_and_sorts_everything),
      cmocka_unit_test(random_updates_keep_every_lane_on_one_path),
      cmocka_unit_test(invalid_sets_are_detected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
