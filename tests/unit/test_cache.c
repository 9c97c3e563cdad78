/* mem/cache: the cycle of each answer, and the requests to the memory below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing/memory/cache.h"

enum { LATENCY = 3, MISS_LATENCY = 5 };

static struct sl_cache cache;

static void open_cache(struct sl_cache_spec spec)
{
  struct sl_error err = {0};
  spec.latency = LATENCY;
  spec.miss_latency = MISS_LATENCY;
  assert_int_equal(sl_cache_init(&cache, &spec, &err), SL_OK);
}

/* 4 banks of 4 sets, direct-mapped. */
static int setup(void **state)
{
  (void)state;
  open_cache((struct sl_cache_spec){.banks = 4, .ways = 1, .mshr = 2, .bytes = 1024});
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  sl_cache_free(&cache);
  return 0;
}

static bool answered(uint64_t cycle, uint32_t tag)
{
  const struct sl_cache_answer *a = sl_cache_answer(&cache, cycle);
  if (a == NULL || a->tag != tag)
    return false;
  sl_cache_drop_answer(&cache);
  return true;
}

static bool asked(uint64_t cycle, uint32_t line, bool write)
{
  const struct sl_cache_miss *m = sl_cache_miss(&cache, cycle);
  if (m == NULL || m->line != line || m->write != write)
    return false;
  sl_cache_drop_miss(&cache);
  return true;
}

/* Loads the line into the cache and waits until nothing is in flight. */
static void bring(uint32_t line, uint64_t cycle)
{
  assert_true(sl_cache_accept(&cache, cycle, line, false, 0));
  assert_true(asked(cycle + MISS_LATENCY, line, false));
  sl_cache_fill(&cache, line);
  sl_cache_cycle(&cache, cycle + 10);
  sl_cache_cycle(&cache, cycle + 11);
  assert_true(answered(cycle + 11 + LATENCY, 0));
}

static void hit_is_answered_after_the_latency(void **state)
{
  (void)state;
  bring(8, 0);
  assert_true(sl_cache_accept(&cache, 20, 8, false, 7));
  assert_null(sl_cache_answer(&cache, 20 + LATENCY - 1));
  assert_true(answered(20 + LATENCY, 7));
}

static void miss_requests_memory_after_its_latency_and_is_answered_by_a_replay(void **state)
{
  (void)state;
  assert_true(sl_cache_accept(&cache, 0, 5, false, 1));
  assert_null(sl_cache_miss(&cache, MISS_LATENCY - 1));
  assert_true(asked(MISS_LATENCY, 5, false));
  sl_cache_fill(&cache, 5);
  sl_cache_cycle(&cache, 20);
  assert_null(sl_cache_answer(&cache, 20 + LATENCY));
  sl_cache_cycle(&cache, 21);
  assert_null(sl_cache_answer(&cache, 21 + LATENCY - 1));
  assert_true(answered(21 + LATENCY, 1));
}

static void bubble_after_a_fill_delays_the_replay(void **state)
{
  sl_cache_free(&cache);
  (void)state;
  open_cache((struct sl_cache_spec){.banks = 1, .ways = 1, .mshr = 2, .bytes = 1024, .fill_bubble = 1});
  assert_true(sl_cache_accept(&cache, 0, 5, false, 1));
  sl_cache_fill(&cache, 5);
  for (uint64_t c = 20; c < 23; c++)
    sl_cache_cycle(&cache, c);
  assert_null(sl_cache_answer(&cache, 22 + LATENCY - 1));
  assert_true(answered(22 + LATENCY, 1));
}

/* Lines that arrive together occupy their bank for three cycles each: fill, bubble, replay. */
static void bubble_is_not_used_for_the_next_line(void **state)
{
  sl_cache_free(&cache);
  (void)state;
  open_cache((struct sl_cache_spec){.banks = 1, .ways = 1, .mshr = 2, .bytes = 1024, .fill_bubble = 1});
  assert_true(sl_cache_accept(&cache, 0, 5, false, 1));
  assert_true(sl_cache_accept(&cache, 1, 6, false, 2));
  sl_cache_fill(&cache, 5);
  sl_cache_fill(&cache, 6);
  for (uint64_t c = 20; c < 26; c++) {
    sl_cache_cycle(&cache, c);
    assert_false(sl_cache_accept(&cache, c, 7, false, 3));
  }
  assert_null(sl_cache_answer(&cache, 22 + LATENCY - 1));
  assert_true(answered(22 + LATENCY, 1));
  assert_null(sl_cache_answer(&cache, 25 + LATENCY - 1));
  assert_true(answered(25 + LATENCY, 2));
  assert_true(sl_cache_accept(&cache, 26, 7, false, 3));
}

/* Two lines of bank 0 and then one of bank 1 arrive at once. */
static void ask_for_three_lines(bool in_order)
{
  sl_cache_free(&cache);
  open_cache((struct sl_cache_spec){
      .banks = 4, .ways = 1, .mshr = 2, .bytes = 1024, .fill_bubble = 1, .fills_in_order = in_order});
  assert_true(sl_cache_accept(&cache, 0, 0, false, 1));
  assert_true(sl_cache_accept(&cache, 1, 4, false, 2));
  assert_true(sl_cache_accept(&cache, 2, 1, false, 3));
  sl_cache_fill(&cache, 0);
  sl_cache_fill(&cache, 4);
  sl_cache_fill(&cache, 1);
}

static void line_waits_for_its_own_bank_only(void **state)
{
  (void)state;
  ask_for_three_lines(false);
  for (uint64_t c = 20; c < 23; c++)
    sl_cache_cycle(&cache, c);
  assert_null(sl_cache_answer(&cache, 22 + LATENCY - 1));
  assert_true(answered(22 + LATENCY, 1));
  assert_true(answered(22 + LATENCY, 3));
}

/* Bank 0 takes its lines in cycles 20 and 23, bank 1 its line in 24, and requests until then. */
static void line_waits_for_another_banks_line_if_fills_are_in_order(void **state)
{
  (void)state;
  ask_for_three_lines(true);
  for (uint64_t c = 20; c < 27; c++) {
    sl_cache_cycle(&cache, c);
    assert_int_equal(sl_cache_can_accept(&cache, c, 1), c < 24);
  }
  assert_true(answered(22 + LATENCY, 1));
  assert_true(answered(25 + LATENCY, 2));
  assert_null(sl_cache_answer(&cache, 26 + LATENCY - 1));
  assert_true(answered(26 + LATENCY, 3));
}

static void misses_of_one_line_make_one_request_and_replay_one_per_cycle(void **state)
{
  (void)state;
  assert_true(sl_cache_accept(&cache, 0, 5, false, 1));
  assert_true(sl_cache_accept(&cache, 1, 5, false, 2));
  assert_true(asked(MISS_LATENCY, 5, false));
  assert_null(sl_cache_miss(&cache, 100));
  sl_cache_fill(&cache, 5);
  for (uint64_t c = 20; c < 24; c++)
    sl_cache_cycle(&cache, c);
  assert_true(answered(21 + LATENCY, 1));
  assert_null(sl_cache_answer(&cache, 21 + LATENCY));
  assert_true(answered(22 + LATENCY, 2));
}

static void bank_takes_one_request_per_cycle_and_others_are_free(void **state)
{
  (void)state;
  assert_true(sl_cache_accept(&cache, 0, 0, false, 1));
  assert_false(sl_cache_can_accept(&cache, 0, 0));
  assert_false(sl_cache_accept(&cache, 0, 4, false, 2));
  assert_true(sl_cache_accept(&cache, 0, 1, false, 3));
  assert_true(sl_cache_accept(&cache, 1, 4, false, 2));
  assert_int_equal(cache.s.counts.bank_stalls, 1);
}

static void nothing_is_accepted_before_waiting_requests_have_replayed(void **state)
{
  (void)state;
  assert_true(sl_cache_accept(&cache, 0, 4, false, 1));
  sl_cache_fill(&cache, 4);
  assert_false(sl_cache_accept(&cache, 9, 0, false, 2));
  sl_cache_cycle(&cache, 10);
  assert_false(sl_cache_accept(&cache, 10, 0, false, 2));
  sl_cache_cycle(&cache, 11);
  assert_false(sl_cache_accept(&cache, 11, 0, false, 2));
  sl_cache_cycle(&cache, 12);
  assert_true(sl_cache_accept(&cache, 12, 0, false, 2));
}

static void full_mshr_stops_reads_of_its_bank(void **state)
{
  (void)state;
  assert_true(sl_cache_accept(&cache, 0, 0, false, 1));
  assert_true(sl_cache_accept(&cache, 1, 4, false, 2));
  assert_false(sl_cache_accept(&cache, 2, 8, false, 3));
  assert_int_equal(cache.s.counts.mshr_stalls, 1);
  assert_true(sl_cache_accept(&cache, 2, 1, false, 3));
}

static void writes_go_through_without_allocation(void **state)
{
  (void)state;
  assert_true(sl_cache_accept(&cache, 0, 6, true, 0));
  assert_true(asked(MISS_LATENCY, 6, true));
  assert_null(sl_cache_answer(&cache, 100));
  assert_true(sl_cache_accept(&cache, 1, 6, false, 4));
  assert_true(asked(1 + MISS_LATENCY, 6, false));
  assert_int_equal(cache.s.counts.write_misses, 1);
}

/* No request is lost, however slowly memory takes requests. */
static void cache_stops_when_memory_does_not_take_its_requests(void **state)
{
  (void)state;
  uint32_t accepted = 0, taken = 0;
  for (uint64_t c = 0; c < 1000; c++)
    for (uint32_t bank = 0; bank < 4; bank++)
      accepted += sl_cache_accept(&cache, c, bank, true, 0);
  assert_true(accepted < 1000);
  for (; sl_cache_miss(&cache, 2000) != NULL; taken++)
    sl_cache_drop_miss(&cache);
  assert_int_equal(taken, accepted);
}

static void lines_of_one_set_replace_each_other(void **state)
{
  (void)state;
  bring(0, 0);
  bring(16, 20); /* the same bank and set: 4 banks of 4 sets */
  assert_true(sl_cache_accept(&cache, 40, 0, false, 9));
  assert_true(asked(40 + MISS_LATENCY, 0, false));
}

static void least_recently_used_line_is_evicted(void **state)
{
  sl_cache_free(&cache);
  (void)state;
  open_cache(
      (struct sl_cache_spec){.banks = 1, .ways = 2, .mshr = 4, .bytes = 128 * 2, .replacement = SL_REPLACE_OLDEST});
  bring(0, 0);
  bring(2, 20);
  assert_true(sl_cache_accept(&cache, 40, 0, false, 1)); /* 2 is now the older one */
  assert_true(answered(40 + LATENCY, 1));
  bring(4, 50);
  assert_true(sl_cache_accept(&cache, 70, 0, false, 1));
  assert_true(answered(70 + LATENCY, 1));
  assert_true(sl_cache_accept(&cache, 71, 2, false, 1));
  assert_true(asked(71 + MISS_LATENCY, 2, false));
}

static void flush_empties_all_banks_and_then_reads_line_0(void **state)
{
  sl_cache_free(&cache);
  (void)state;
  open_cache((struct sl_cache_spec){.banks = 2, .ways = 1, .mshr = 2, .bytes = 1024, .flush_cycles = 3});
  enum { SETS = 8 };
  bring(1, 0);
  assert_true(sl_cache_accept_flush(&cache, 20, 5));
  for (uint64_t c = 21; c < 21 + SETS + 3; c++) {
    sl_cache_cycle(&cache, c);
    assert_false(sl_cache_accept(&cache, c, 1, false, 1));
    assert_null(sl_cache_miss(&cache, c));
  }
  sl_cache_cycle(&cache, 21 + SETS + 3);
  assert_true(asked(21 + SETS + 3 + MISS_LATENCY, 0, false));
  sl_cache_fill(&cache, 0);
  for (uint64_t c = 60; c < 64; c++)
    sl_cache_cycle(&cache, c);
  assert_true(answered(61 + LATENCY, 5));
  assert_true(sl_cache_accept(&cache, 64, 1, false, 1));
  assert_true(asked(64 + MISS_LATENCY, 1, false));
}

static void nothing_is_accepted_while_tags_are_cleared_after_reset(void **state)
{
  sl_cache_free(&cache);
  (void)state;
  open_cache((struct sl_cache_spec){.banks = 1, .ways = 1, .mshr = 2, .bytes = 1024, .start_cycles = 64});
  assert_false(sl_cache_accept(&cache, 63, 0, false, 1));
  assert_true(sl_cache_accept(&cache, 64, 0, false, 1));
}

static void write_to_a_line_in_flight_waits_for_it(void **state)
{
  sl_cache_free(&cache);
  (void)state;
  open_cache((struct sl_cache_spec){.banks = 1, .ways = 1, .mshr = 4, .bytes = 1024, .merges_writes = true});
  assert_true(sl_cache_accept(&cache, 0, 3, false, 1));
  assert_true(sl_cache_accept(&cache, 1, 3, true, 0));
  assert_true(sl_cache_accept(&cache, 2, 3, false, 2));
  sl_cache_fill(&cache, 3);
  for (uint64_t c = 20; c < 25; c++)
    sl_cache_cycle(&cache, c);
  assert_true(answered(21 + LATENCY, 1));
  assert_null(sl_cache_answer(&cache, 22 + LATENCY)); /* the write's turn */
  assert_true(answered(23 + LATENCY, 2));
}

/* Requests to one set of four ways, one after the other: timed, and without timing. */
static void touched_lines_are_those_that_requests_leave(void **state)
{
  const struct sl_cache_spec spec = {.banks = 2, .ways = 4, .mshr = 2, .bytes = 1024};
  uint32_t random = 1;
  struct sl_cache touched;
  struct sl_error err = {0};
  (void)state;
  sl_cache_free(&cache);
  open_cache(spec);
  assert_int_equal(sl_cache_init(&touched, &spec, &err), SL_OK);
  for (uint64_t cycle = 0; cycle < 20 * 500; cycle += 20) {
    random = random * 1664525 + 1013904223;
    const uint32_t line = (random >> 16) % 24;
    const bool write = random >> 30 == 0;
    assert_true(sl_cache_accept(&cache, cycle, line, write, 0));
    const bool below = sl_cache_miss(&cache, cycle + MISS_LATENCY) != NULL;
    assert_int_equal(sl_cache_touch(&touched, line, write), below);
    if (below)
      sl_cache_drop_miss(&cache);
    if (below && !write)
      sl_cache_fill(&cache, line);
    for (uint64_t c = cycle + 10; c < cycle + 14; c++)
      sl_cache_cycle(&cache, c);
    while (sl_cache_answer(&cache, cycle + 20) != NULL)
      sl_cache_drop_answer(&cache);
    for (uint32_t i = 0; i < spec.bytes / SL_LINE_BYTES; i++)
      assert_int_equal(touched.way[i].line, cache.way[i].line);
  }
  sl_cache_free(&touched);
}

static void invalidated_lines_are_read_again(void **state)
{
  (void)state;
  bring(8, 0);
  sl_cache_forget(&cache);
  assert_true(sl_cache_accept(&cache, 20, 8, false, 7));
  assert_true(asked(20 + MISS_LATENCY, 8, false));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(hit_is_answered_after_the_latency),
      TEST(miss_requests_memory_after_its_latency_and_is_answered_by_a_replay),
      TEST(bubble_after_a_fill_delays_the_replay),
      TEST(bubble_is_not_used_for_the_next_line),
      TEST(line_waits_for_its_own_bank_only),
      TEST(line_waits_for_another_banks_line_if_fills_are_in_order),
      TEST(misses_of_one_line_make_one_request_and_replay_one_per_cycle),
      TEST(bank_takes_one_request_per_cycle_and_others_are_free),
      TEST(nothing_is_accepted_before_waiting_requests_have_replayed),
      TEST(full_mshr_stops_reads_of_its_bank),
      TEST(writes_go_through_without_allocation),
      TEST(cache_stops_when_memory_does_not_take_its_requests),
      TEST(lines_of_one_set_replace_each_other),
      TEST(least_recently_used_line_is_evicted),
      TEST(flush_empties_all_banks_and_then_reads_line_0),
      TEST(nothing_is_accepted_while_tags_are_cleared_after_reset),
      TEST(write_to_a_line_in_flight_waits_for_it),
      TEST(touched_lines_are_those_that_requests_leave),
      TEST(invalidated_lines_are_read_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
