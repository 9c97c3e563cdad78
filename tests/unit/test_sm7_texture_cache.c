/* machine/sm7/memory/sm7_texture_cache: accesses leave in order, hits and misses alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/sm7/memory/sm7_line_cache.h"

enum { LINE = SL_SM7_LINE };

static struct sl_sm7_texture_cache cache;

static int setup(void **state)
{
  (void)state;
  const struct sl_sm7_texture_spec spec = {
      .sets = 1, .ways = 2, .line = SL_SM7_LINE, .fragments = 4, .lines = 3, .requests = 2, .results = 1};
  return sl_sm7_texture_cache_init(&cache, &spec, NULL) == SL_OK ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  sl_sm7_texture_cache_free(&cache);
  return 0;
}

static bool read_at(uint64_t address, uint32_t who, uint64_t now)
{
  const struct sl_sm7_packet p = {.address = address};
  return sl_sm7_texture_cache_read(&cache, &p, who, now);
}

static void sectors_come(uint64_t line, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    const struct sl_sm7_packet p = {.address = line, .sectors = 1};
    sl_sm7_texture_cache_fill(&cache, &p);
  }
}

static void a_hit_waits_behind_a_miss(void **state)
{
  (void)state;
  assert_true(read_at(0, 1, 1));
  assert_true(read_at(64, 2, 2)); /* its line is in flight: a hit */
  assert_int_equal(cache.missed, 1);
  assert_int_equal(sl_sm7_texture_cache_request(&cache)->sectors, 4);
  sl_sm7_texture_cache_sent(&cache);
  assert_null(sl_sm7_texture_cache_request(&cache));
  sectors_come(0, 3);
  sl_sm7_texture_cache_cycle(&cache);
  assert_false(sl_sm7_texture_cache_has_answer(&cache));
  assert_false(sl_sm7_texture_cache_moves(&cache));
  sectors_come(0, 1);
  assert_true(sl_sm7_texture_cache_moves(&cache));
  sl_sm7_texture_cache_cycle(&cache);
  assert_int_equal(sl_sm7_texture_cache_answer(&cache), 1);
  sl_sm7_texture_cache_cycle(&cache);
  assert_int_equal(sl_sm7_texture_cache_answer(&cache), 2);
  assert_false(sl_sm7_texture_cache_moves(&cache));
}

static void early_lines_wait_for_earlier_requests(void **state)
{
  (void)state;
  read_at(0, 1, 1);
  read_at(LINE, 2, 2);
  assert_int_equal(sl_sm7_texture_cache_request(&cache)->address, 0);
  sl_sm7_texture_cache_sent(&cache);
  assert_int_equal(sl_sm7_texture_cache_request(&cache)->address, LINE);
  sl_sm7_texture_cache_sent(&cache);
  sectors_come(LINE, 4);
  sl_sm7_texture_cache_cycle(&cache);
  assert_false(sl_sm7_texture_cache_has_answer(&cache));
  sectors_come(0, 4);
  sl_sm7_texture_cache_cycle(&cache);
  sl_sm7_texture_cache_cycle(&cache); /* no room for a second result */
  assert_int_equal(sl_sm7_texture_cache_answer(&cache), 1);
  assert_false(sl_sm7_texture_cache_has_answer(&cache));
  sl_sm7_texture_cache_cycle(&cache);
  assert_int_equal(sl_sm7_texture_cache_answer(&cache), 2);
}

static void full_queues_refuse_accesses(void **state)
{
  (void)state;
  assert_true(read_at(0, 0, 1));
  assert_true(read_at(LINE, 0, 2));
  assert_false(read_at(2 * LINE, 0, 3)); /* requests */
  sl_sm7_texture_cache_sent(&cache);
  assert_true(read_at(2 * LINE, 0, 4));
  sl_sm7_texture_cache_sent(&cache);
  assert_false(read_at(3 * LINE, 0, 5)); /* lines */
  assert_int_equal(cache.accesses, 3);
}

static void the_least_recently_used_line_is_evicted(void **state)
{
  (void)state;
  read_at(0, 0, 1);
  read_at(LINE, 0, 2);
  sl_sm7_texture_cache_sent(&cache);
  sl_sm7_texture_cache_sent(&cache);
  read_at(0, 0, 3);
  assert_int_equal(cache.missed, 2);
  read_at(2 * LINE, 0, 4); /* replaces the second */
  assert_int_equal(cache.missed, 3);
  assert_int_equal(cache.tag[0] + cache.tag[1], 1 + 3); /* line 0 and line 2, plus 1 each */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_hit_waits_behind_a_miss, setup, teardown),
      cmocka_unit_test_setup_teardown(early_lines_wait_for_earlier_requests, setup, teardown),
      cmocka_unit_test_setup_teardown(full_queues_refuse_accesses, setup, teardown),
      cmocka_unit_test_setup_teardown(the_least_recently_used_line_is_evicted, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
