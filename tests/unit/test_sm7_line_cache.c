/* machine/sm7/memory/sm7_line_cache: misses, merging, fills and replacement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/sm7/memory/sm7_line_cache.h"

enum { LINE = 128 };

static struct sl_sm7_line_cache cache;

/* Two ways; two lines can be pending, each with three requests. */
static int setup(void **state)
{
  (void)state;
  const struct sl_sm7_line_spec spec = {.sets = 2, .ways = 2, .line = LINE, .mshrs = 2, .merges = 3, .queue = 4};
  return sl_sm7_line_cache_init(&cache, &spec, NULL) == SL_OK ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  sl_sm7_line_cache_free(&cache);
  return 0;
}

static enum sl_sm7_line_outcome read_at(uint64_t address, uint32_t who, uint64_t now)
{
  const struct sl_sm7_packet p = {.address = address};
  return sl_sm7_line_cache_read(&cache, &p, who, now);
}

static void sectors_come(uint64_t address, unsigned count, uint64_t now)
{
  for (unsigned i = 0; i < count; i++) {
    const struct sl_sm7_packet p = {.address = address + i * SL_SM7_SECTOR, .sectors = 1};
    sl_sm7_line_cache_fill(&cache, &p, now);
  }
}

static void fetch_line(uint64_t address, uint64_t now)
{
  assert_int_equal(read_at(address, 0, now), SL_SM7_LINE_MISS);
  sl_sm7_line_cache_sent(&cache);
  sectors_come(address, 4, now);
  sl_sm7_line_cache_answer(&cache);
}

static void a_line_is_complete_with_its_last_sector(void **state)
{
  (void)state;
  assert_int_equal(read_at(LINE + 40, 7, 1), SL_SM7_LINE_MISS);
  assert_int_equal(sl_sm7_line_cache_request(&cache)->address, LINE);
  assert_int_equal(sl_sm7_line_cache_request(&cache)->sectors, 4);
  sl_sm7_line_cache_sent(&cache);
  assert_null(sl_sm7_line_cache_request(&cache));
  sectors_come(LINE, 3, 2);
  assert_false(sl_sm7_line_cache_has_answer(&cache));
  sectors_come(LINE + 96, 1, 3);
  assert_true(sl_sm7_line_cache_has_answer(&cache));
  assert_int_equal(sl_sm7_line_cache_answer(&cache), 7);
  assert_false(sl_sm7_line_cache_has_answer(&cache));
  assert_int_equal(read_at(LINE, 0, 4), SL_SM7_LINE_HIT);
}

static void requests_for_a_line_are_answered_in_order(void **state)
{
  (void)state;
  for (uint32_t who = 0; who < 3; who++)
    assert_int_equal(read_at(0, who, who), SL_SM7_LINE_MISS);
  assert_int_equal(read_at(0, 3, 3), SL_SM7_LINE_BLOCKED); /* more than merges */
  sl_sm7_line_cache_sent(&cache);
  assert_null(sl_sm7_line_cache_request(&cache)); /* one request for all */
  sectors_come(0, 4, 4);
  for (uint32_t who = 0; who < 3; who++)
    assert_int_equal(sl_sm7_line_cache_answer(&cache), who);
  assert_false(sl_sm7_line_cache_has_answer(&cache));
  assert_int_equal(cache.accesses, 3);
  assert_int_equal(cache.missed, 1);
}

static void an_mshr_is_held_until_all_requests_are_answered(void **state)
{
  (void)state;
  read_at(0, 0, 0);
  read_at(0, 1, 0);
  read_at(LINE, 2, 0);
  assert_int_equal(read_at(2 * LINE, 3, 0), SL_SM7_LINE_BLOCKED);
  sectors_come(0, 4, 1);
  sl_sm7_line_cache_answer(&cache);
  assert_int_equal(read_at(2 * LINE, 3, 1), SL_SM7_LINE_BLOCKED);
  sl_sm7_line_cache_answer(&cache);
  assert_int_equal(read_at(2 * LINE, 3, 1), SL_SM7_LINE_MISS);
}

static void the_least_recently_used_line_of_a_set_is_evicted(void **state)
{
  (void)state;
  fetch_line(0, 1);
  fetch_line(2 * LINE, 2);
  fetch_line(LINE, 3); /* the other set */
  assert_int_equal(read_at(0, 0, 4), SL_SM7_LINE_HIT);
  fetch_line(4 * LINE, 5); /* in place of the second */
  assert_int_equal(read_at(0, 0, 6), SL_SM7_LINE_HIT);
  assert_int_equal(read_at(LINE, 0, 7), SL_SM7_LINE_HIT);
  assert_int_equal(read_at(2 * LINE, 0, 8), SL_SM7_LINE_MISS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_line_is_complete_with_its_last_sector, setup, teardown),
      cmocka_unit_test_setup_teardown(requests_for_a_line_are_answered_in_order, setup, teardown),
      cmocka_unit_test_setup_teardown(an_mshr_is_held_until_all_requests_are_answered, setup, teardown),
      cmocka_unit_test_setup_teardown(the_least_recently_used_line_of_a_set_is_evicted, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
