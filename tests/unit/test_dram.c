/* The path to DRAM and back, from a put into the request queue to a beat that the coalescing unit can take.
 *
 * Put in cycle c: bus c+1, wrapper c+2, memory's port c+3 = r; beat k valid in r+30+k, usable two cycles later, so
 * c+35+k. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing/memory/dram.h"

enum { LATENCY = 30, USABLE = 3 + LATENCY + 2 };

struct bench {
  struct sl_dram dram;
  int64_t now;
  bool take; /* the client takes every beat at once */
  unsigned taken;
  int64_t last_taken; /* cycle of the latest beat */
};

static struct bench make_bench(unsigned limit)
{
  struct bench b = {.take = true, .last_taken = -1};
  sl_dram_init(&b.dram, LATENCY, limit);
  return b;
}

/* A cycle up to the point where the coalescing unit may put. */
static void step(struct bench *b)
{
  const bool taken = b->take && b->dram.beat_ready;
  if (taken) {
    b->dram.beat_ready = false;
    b->taken++;
    b->last_taken = b->now;
  }
  sl_dram_cycle(&b->dram, b->now++, taken);
}

static void put(struct bench *b, bool store, unsigned beats)
{
  assert_true(sl_dram_can_put(&b->dram));
  sl_dram_put(&b->dram, sl_dram_transaction(store, beats));
}

static void run_to(struct bench *b, int64_t end)
{
  while (b->now < end)
    step(b);
}

/* The cycle in which beat number n (from 0) is taken. */
static int64_t beat_cycle(struct bench *b, unsigned n)
{
  while (b->taken <= n) {
    assert_true(b->now < 2000);
    step(b);
  }
  assert_int_equal(b->taken, n + 1);
  return b->last_taken;
}

/* Steps until `beats` have been accepted by the wrapper; returns the cycle of the last. */
static int64_t accepted_cycle(struct bench *b, uint64_t beats)
{
  while (b->dram.beats < beats) {
    assert_true(b->now < 2000);
    step(b);
  }
  return b->now - 1;
}

static void transaction_keeps_kind_and_beats(void **state)
{
  (void)state;
  for (unsigned beats = 1; beats <= 64; beats *= 2) {
    assert_true(sl_dram_is_store(sl_dram_transaction(true, beats)));
    assert_false(sl_dram_is_store(sl_dram_transaction(false, beats)));
    assert_int_equal(sl_dram_beats(sl_dram_transaction(true, beats)), beats);
  }
}

static void one_beat_is_usable_35_cycles_after_the_put(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  step(&b);
  put(&b, false, 1);
  run_to(&b, USABLE);
  assert_int_equal(b.taken, 0); /* not in c+34 */
  assert_int_equal(beat_cycle(&b, 0), USABLE);
  assert_int_equal(b.dram.outstanding, 0);
}

static void latency_equals_its_setting(void **state)
{
  (void)state;
  for (unsigned latency = 1; latency < 200; latency += 37) {
    struct bench b = make_bench(32);
    sl_dram_init(&b.dram, latency, 32);
    step(&b);
    put(&b, false, 1);
    assert_int_equal(beat_cycle(&b, 0), 3 + latency + 2);
  }
}

static void second_beat_follows_in_the_next_cycle(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  step(&b);
  put(&b, false, 2);
  assert_int_equal(beat_cycle(&b, 0), USABLE);
  assert_int_equal(beat_cycle(&b, 1), USABLE + 1);
}

static void one_beat_reads_follow_each_other_every_cycle(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  for (unsigned n = 0; n < 8; n++) {
    step(&b);
    put(&b, false, 1);
  }
  for (unsigned n = 0; n < 8; n++)
    assert_int_equal(beat_cycle(&b, n), USABLE + n);
}

/* The wrapper reads it in c+2, the port in c+3; with two beats it waits there until c+4. */
static void two_beat_read_occupies_the_port_two_cycles(void **state)
{
  (void)state;
  for (unsigned beats = 1; beats <= 2; beats++) {
    struct bench b = make_bench(32);
    step(&b);
    put(&b, false, beats);
    step(&b);
    put(&b, true, 1);
    assert_int_equal(accepted_cycle(&b, beats), 2);
    assert_int_equal(accepted_cycle(&b, beats + 1), 2 + beats);
  }
}

static void two_beat_reads_back_to_back_fill_the_data_bus(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  unsigned put_reads = 0;
  while (put_reads < 6) {
    step(&b);
    if (sl_dram_can_put(&b.dram)) {
      put(&b, false, 2);
      put_reads++;
    }
  }
  for (unsigned n = 0; n < 12; n++)
    assert_int_equal(beat_cycle(&b, n), USABLE + n);
}

static void writes_are_accepted_one_per_cycle(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  for (unsigned n = 0; n < 100; n++) {
    step(&b);
    assert_int_equal(b.dram.beats, n >= 2 ? n - 1 : 0);
    put(&b, true, n % 2 + 1);
  }
  run_to(&b, 200);
  assert_int_equal(b.taken, 0); /* writes have no answer */
  assert_false(b.dram.active);
}

static void outstanding_beats_are_limited_to_32_not_31(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  b.take = false;
  for (unsigned n = 0; n < 34; n++) {
    while (!sl_dram_can_put(&b.dram) && b.now < 500)
      step(&b);
    put(&b, false, 1);
    step(&b);
  }
  run_to(&b, 500);
  assert_int_equal(b.dram.outstanding, 32);
  assert_int_equal(b.dram.beats, 32);
}

/* Three of four beats are outstanding: one beat more fits, a burst of two does not. */
static void the_whole_burst_must_fit(void **state)
{
  (void)state;
  for (unsigned beats = 1; beats <= 2; beats++)
    for (unsigned store = 0; store < 2; store++) {
      struct bench b = make_bench(4);
      b.take = false;
      step(&b);
      put(&b, false, 2);
      step(&b);
      put(&b, false, 1);
      run_to(&b, 100);
      assert_int_equal(b.dram.outstanding, 3);
      put(&b, store, beats);
      run_to(&b, 200);
      assert_int_equal(b.dram.beats, beats == 1 ? 4 : 3);
    }
}

static void stores_also_wait_for_room_among_outstanding_beats(void **state)
{
  (void)state;
  struct bench b = make_bench(2);
  b.take = false;
  step(&b);
  put(&b, false, 2);
  step(&b);
  put(&b, true, 1);
  run_to(&b, 100);
  assert_int_equal(b.dram.beats, 2);
  b.take = true;
  step(&b); /* cycle 100 takes a beat; the count is a register */
  assert_int_equal(b.dram.beats, 2);
  step(&b);
  assert_int_equal(b.dram.beats, 3);
}

static void untaken_beats_wait_and_then_leave_one_per_cycle(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  b.take = false;
  for (unsigned n = 0; n < 16; n++) {
    step(&b);
    put(&b, false, 1);
  }
  run_to(&b, 300);
  b.take = true;
  for (unsigned n = 0; n < 16; n++)
    assert_int_equal(beat_cycle(&b, n), 300 + n);
  assert_int_equal(b.dram.outstanding, 0);
}

/* After stalled reads: one at the port, two on the bus, one in the queue. */
static void queue_is_full_behind_a_full_bus(void **state)
{
  (void)state;
  struct bench b = make_bench(1);
  b.take = false;
  unsigned accepted = 0;
  for (unsigned i = 0; i < 100; i++) {
    step(&b);
    if (sl_dram_can_put(&b.dram)) {
      put(&b, false, 1);
      accepted++;
    }
  }
  assert_int_equal(accepted, 1 + 2 + 1);
}

/* A register marks its two entries as full: a read passes a cycle after the first beat is taken, and the queue's head
 * the cycle after that. */
static void a_full_bus_is_not_refilled_in_the_cycle_it_drains(void **state)
{
  (void)state;
  struct bench b = make_bench(1);
  for (unsigned n = 0; n < 4; n++) {
    while (!sl_dram_can_put(&b.dram))
      step(&b);
    put(&b, false, 1);
    step(&b);
  }
  const int64_t first = beat_cycle(&b, 0);
  assert_int_equal(b.dram.beats, 1);
  assert_int_equal(accepted_cycle(&b, 2), first + 1);
  assert_false(sl_dram_can_put(&b.dram));
  step(&b);
  assert_true(sl_dram_can_put(&b.dram));
}

static void next_event_is_when_data_becomes_valid(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  assert_true(sl_dram_next_event(&b.dram) == INT64_MAX);
  step(&b);
  put(&b, false, 1);
  assert_true(b.dram.active);
  run_to(&b, 4);
  assert_false(b.dram.active); /* nothing to do but wait */
  assert_int_equal(sl_dram_next_event(&b.dram), 3 + LATENCY);
}

/* Skipping idle cycles to the event gives the same beat in the same cycle. */
static void skipping_to_the_event_changes_nothing(void **state)
{
  (void)state;
  struct bench b = make_bench(32);
  step(&b);
  put(&b, false, 2);
  while (b.dram.active)
    step(&b);
  b.now = sl_dram_next_event(&b.dram);
  assert_int_equal(beat_cycle(&b, 0), USABLE);
  assert_int_equal(beat_cycle(&b, 1), USABLE + 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transaction_keeps_kind_and_beats),
      cmocka_unit_test(one_beat_is_usable_35_cycles_after_the_put),
      cmocka_unit_test(latency_equals_its_setting),
      cmocka_unit_test(second_beat_follows_in_the_next_cycle),
      cmocka_unit_test(one_beat_reads_follow_each_other_every_cycle),
      cmocka_unit_test(two_beat_read_occupies_the_port_two_cycles),
      cmocka_unit_test(two_beat_reads_back_to_back_fill_the_data_bus),
      cmocka_unit_test(writes_are_accepted_one_per_cycle),
      cmocka_unit_test(outstanding_beats_are_limited_to_32_not_31),
      cmocka_unit_test(the_whole_burst_must_fit),
      cmocka_unit_test(stores_also_wait_for_room_among_outstanding_beats),
      cmocka_unit_test(untaken_beats_wait_and_then_leave_one_per_cycle),
      cmocka_unit_test(queue_is_full_behind_a_full_bus),
      cmocka_unit_test(a_full_bus_is_not_refilled_in_the_cycle_it_drains),
      cmocka_unit_test(next_event_is_when_data_becomes_valid),
      cmocka_unit_test(skipping_to_the_event_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
