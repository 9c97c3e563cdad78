/* The barrier release unit, state by state (specification, section 8). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "timing/pipeline/arithmetic_units.h"
#include "timing/pipeline/warp_scheduler.h"

static struct sl_barrier make_barrier(unsigned warps, unsigned block, sl_warps waiting)
{
  struct sl_barrier b;
  sl_barrier_start(&b, warps, block, SL_BARRIER_SNAPSHOT);
  b.waiting = waiting;
  return b;
}

/* Cycles from a snapshot to the next. */
static unsigned scan_cycles(struct sl_barrier *b)
{
  unsigned cycles = 0;
  assert_int_equal(b->state, SL_BARRIER_SNAPSHOT);
  do {
    sl_barrier_cycle(b, false);
    cycles++;
    assert_true(cycles < 1000);
  } while (b->state != SL_BARRIER_SNAPSHOT);
  return cycles;
}

static void idle_alternates_between_snapshot_and_test(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 4, 0);
  for (unsigned i = 0; i < 10; i++) {
    assert_int_equal(b.state, i % 2 ? SL_BARRIER_TEST : SL_BARRIER_SNAPSHOT);
    assert_true(sl_barrier_idle(&b));
    assert_true(sl_barrier_cycle(&b, false) == 0);
  }
}

static void skipping_idle_cycles_equals_stepping(void **state)
{
  (void)state;
  for (unsigned phase = SL_BARRIER_SNAPSHOT; phase <= SL_BARRIER_TEST; phase++)
    for (unsigned n = 0; n < 7; n++) {
      struct sl_barrier skipped, stepped;
      sl_barrier_start(&skipped, 64, 8, (enum sl_barrier_state)phase);
      stepped = skipped;
      sl_barrier_skip(&skipped, n);
      for (unsigned i = 0; i < n; i++)
        sl_barrier_cycle(&stepped, false);
      assert_int_equal(skipped.state, stepped.state);
      /* both continue identically */
      skipped.waiting = stepped.waiting = 0xff;
      for (unsigned i = 0; i < 30; i++)
        assert_true(sl_barrier_cycle(&skipped, false) == sl_barrier_cycle(&stepped, false));
    }
}

/* Snapshot, test, then warp w is released in cycle 2 + w. */
static void a_barrier_of_64_warps_releases_one_per_cycle(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 64, UINT64_MAX); /* 64 modulo 64 = 0: all warps */
  assert_int_equal(b.block, 0);
  assert_true(sl_barrier_cycle(&b, false) == 0);
  assert_int_equal(b.state, SL_BARRIER_TEST);
  assert_true(sl_barrier_cycle(&b, false) == 0);
  assert_int_equal(b.state, SL_BARRIER_RELEASE);
  for (unsigned w = 0; w < 64; w++) {
    assert_true(sl_barrier_cycle(&b, false) == sl_bit(w));
    assert_false(b.waiting >> w & 1);
  }
  assert_int_equal(b.state, SL_BARRIER_TEST);
  assert_true(sl_barrier_cycle(&b, false) == 0);
  assert_int_equal(b.state, SL_BARRIER_SNAPSHOT);
}

static void a_block_of_two_takes_three_cycles(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 2, UINT64_MAX);
  sl_barrier_cycle(&b, false);
  for (unsigned block = 0; block < 32; block++) {
    assert_true(sl_barrier_cycle(&b, false) == 0);
    assert_true(sl_barrier_cycle(&b, false) == sl_bit(2 * block));
    assert_true(sl_barrier_cycle(&b, false) == sl_bit(2 * block + 1));
  }
  assert_int_equal(b.state, SL_BARRIER_TEST);
}

/* Spill mode pauses only the release of warps. */
static void a_paused_release_resumes(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 4, 0xff);
  sl_barrier_cycle(&b, true);
  assert_int_equal(b.state, SL_BARRIER_TEST);
  sl_barrier_cycle(&b, true);
  assert_int_equal(b.state, SL_BARRIER_RELEASE);
  assert_true(sl_barrier_cycle(&b, false) == sl_bit(0));
  for (unsigned i = 0; i < 5; i++)
    assert_true(sl_barrier_cycle(&b, true) == 0);
  assert_true(b.waiting == 0xfe);
  for (unsigned w = 1; w < 4; w++)
    assert_true(sl_barrier_cycle(&b, false) == sl_bit(w));
  assert_int_equal(b.state, SL_BARRIER_TEST);
}

static void one_missing_warp_keeps_its_block_waiting(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 8, ~sl_bit(13));
  sl_warps released = 0;
  for (unsigned i = 0; i < 1 + 8 * 9; i++)
    released |= sl_barrier_cycle(&b, false);
  assert_true(released == ~UINT64_C(0xff00));
  assert_true(b.waiting == (UINT64_C(0xff00) & ~sl_bit(13)));
}

/* A failed block takes its warps + 1 cycles, as a released one; the test of an exhausted snapshot takes one. */
static void a_failed_scan_costs_as_much_as_a_release(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 4, sl_bit(0));
  assert_int_equal(scan_cycles(&b), 1 + (4 + 1) + 1);
  assert_true(b.waiting == sl_bit(0));
  b = make_barrier(64, 4, sl_bit(60));
  assert_int_equal(scan_cycles(&b), 1 + 16 * (4 + 1) + 1);
  b = make_barrier(64, 0, sl_bit(0));
  assert_int_equal(scan_cycles(&b), 1 + (64 + 1) + 1);
}

static void a_scan_ends_after_the_last_waiting_warp(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 4, UINT64_C(0xff));
  assert_int_equal(scan_cycles(&b), 1 + 2 * (4 + 1) + 1);
  assert_true(b.waiting == 0);
}

static void warps_that_arrive_after_the_snapshot_wait_for_the_next(void **state)
{
  (void)state;
  struct sl_barrier b = make_barrier(64, 2, sl_bit(0));
  sl_barrier_cycle(&b, false);
  b.waiting |= sl_bit(1); /* arrives in the cycle of the snapshot */
  assert_true(sl_barrier_cycle(&b, false) == 0);
  assert_true(sl_barrier_cycle(&b, false) == 0);
  assert_true(sl_barrier_cycle(&b, false) == 0);
  sl_barrier_cycle(&b, false); /* exhausted */
  assert_int_equal(b.state, SL_BARRIER_SNAPSHOT);
  sl_barrier_cycle(&b, false);
  sl_barrier_cycle(&b, false);
  assert_true(sl_barrier_cycle(&b, false) == sl_bit(0));
  assert_true(sl_barrier_cycle(&b, false) == sl_bit(1));
}

/* Starting in the other phase delays the first release by one cycle: the test of an empty snapshot comes first. */
static void the_phase_at_the_start_shifts_the_release_by_a_cycle(void **state)
{
  (void)state;
  for (unsigned phase = SL_BARRIER_SNAPSHOT; phase <= SL_BARRIER_TEST; phase++) {
    struct sl_barrier b;
    unsigned cycles = 0;
    sl_barrier_start(&b, 64, 2, (enum sl_barrier_state)phase);
    b.waiting = 3;
    while (sl_barrier_cycle(&b, false) == 0)
      cycles++;
    assert_int_equal(cycles, phase == SL_BARRIER_SNAPSHOT ? 2 : 3);
  }
}

static void smaller_machines_scale(void **state)
{
  (void)state;
  for (unsigned warps = 1; warps <= 64; warps *= 2) {
    struct sl_barrier b = make_barrier(warps, warps, sl_low_bits(warps));
    assert_int_equal(scan_cycles(&b), 1 + (warps + 1) + 1);
    assert_true(b.waiting == 0);
  }
}

/* The unit releases exactly the complete blocks, whenever warps arrive. */
static void only_complete_blocks_are_released(void **state)
{
  (void)state;
  uint64_t seed = 11;
  for (unsigned round = 0; round < 200; round++) {
    const unsigned block = 1u << random_below(&seed, 7);
    struct sl_barrier b = make_barrier(64, block, 0);
    sl_warps arrived = 0, released = 0;
    for (unsigned i = 0; i < 600; i++) {
      const sl_warps r = sl_barrier_cycle(&b, false);
      released |= r;
      if (r) /* its whole block had arrived */
        assert_true((arrived >> (sl_lowest(r) / block * block) & sl_low_bits(block)) == sl_low_bits(block));
      if (i < 250 && random_below(&seed, 2)) {
        const sl_warps warp = sl_bit(random_below(&seed, 64)) & ~arrived;
        arrived |= warp;
        b.waiting |= warp;
      }
    }
    for (unsigned first = 0; first < 64; first += block) {
      const sl_warps mask = sl_low_bits(block) << first;
      assert_true((released & mask) == ((arrived & mask) == mask ? mask : 0));
    }
    assert_true((b.waiting | released) == arrived && (b.waiting & released) == 0);
  }
}

/* Functional: exactly the blocks, of any number of warps, whose warps all wait. */
static void functional_barriers_open_for_whole_blocks(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (unsigned round = 0; round < 20000; round++) {
    const unsigned warps = 1u << random_below(&seed, 7), block = random_below(&seed, warps + 1) % warps;
    const unsigned step = block ? block : warps;
    struct sl_barrier b;
    sl_barrier_start(&b, warps, block, SL_BARRIER_SNAPSHOT);
    sl_warps whole = 0;
    for (unsigned first = 0; first < warps; first += step) {
      const sl_warps all = (sl_low_bits(step) << first) & sl_low_bits(warps);
      const bool waits = random_below(&seed, 2) && first + step <= warps;
      b.waiting |= waits ? all : all & random64(&seed) & random64(&seed) & ~sl_bit(first);
      whole |= waits ? all : 0;
    }
    const sl_warps waiting = b.waiting;
    assert_int_equal(sl_barrier_open(&b), whole);
    assert_int_equal(b.waiting, waiting & ~whole);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functional_barriers_open_for_whole_blocks),
      cmocka_unit_test(idle_alternates_between_snapshot_and_test),
      cmocka_unit_test(skipping_idle_cycles_equals_stepping),
      cmocka_unit_test(a_barrier_of_64_warps_releases_one_per_cycle),
      cmocka_unit_test(a_block_of_two_takes_three_cycles),
      cmocka_unit_test(a_paused_release_resumes),
      cmocka_unit_test(one_missing_warp_keeps_its_block_waiting),
      cmocka_unit_test(a_failed_scan_costs_as_much_as_a_release),
      cmocka_unit_test(a_scan_ends_after_the_last_waiting_warp),
      cmocka_unit_test(warps_that_arrive_after_the_snapshot_wait_for_the_next),
      cmocka_unit_test(the_phase_at_the_start_shifts_the_release_by_a_cycle),
      cmocka_unit_test(smaller_machines_scale),
      cmocka_unit_test(only_complete_blocks_are_released),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
