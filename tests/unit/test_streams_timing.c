/* Timing of streaming lanes: prefetch, drain, FIFOs, epochs, and port arbitration (arXiv 2512.00032, section IV-C). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stream_bench.h"

enum {
  READ = SL_STREAM_PREFETCH | SL_STREAM_REDIRECT,
  WRITE = SL_STREAM_WRITE | SL_STREAM_REDIRECT,
  BOTH = READ | WRITE,
  CREDITS = 4,
  ALL_PORTS = 7
};

static struct stream_bench bench;

static int setup(void **state)
{
  *state = &bench;
  return bench_open(&bench, true, CREDITS) != SL_OK;
}

static int teardown(void **state)
{
  bench_close(*state);
  return 0;
}

/* One cycle; returns the granted requests, in order of need. */
static unsigned cycle(struct stream_bench *b, unsigned ports, struct sl_extension_request *out)
{
  return sl_streams_cycle(&b->s, ports, true, out);
}

/* One cycle that must request one line. */
static struct sl_extension_request only(struct stream_bench *b)
{
  struct sl_extension_request out[SL_STREAMS_MAX];
  assert_int_equal(cycle(b, ALL_PORTS, out), 1);
  return out[0];
}

static void nothing(struct stream_bench *b)
{
  struct sl_extension_request out[SL_STREAMS_MAX];
  assert_int_equal(cycle(b, ALL_PORTS, out), 0);
}

/* Cycles with immediate answers, until there are no requests; returns the lines. */
static unsigned fill(struct stream_bench *b)
{
  struct sl_extension_request out[SL_STREAMS_MAX];
  unsigned lines = 0;
  while (!sl_streams_idle(&b->s)) {
    const unsigned n = cycle(b, ALL_PORTS, out);
    for (unsigned i = 0; i < n; i++)
      if (!out[i].write)
        sl_streams_return(&b->s, out[i].tag);
    lines += n;
    assert_true(lines < 1000);
  }
  return lines;
}

static struct sl_stream_use function(struct stream_bench *b, unsigned warp, struct sl_insn insn)
{
  struct sl_stream_use use;
  const char *illegal = bench_execute(b, warp, BENCH_ALL, insn, &use);
  if (illegal != NULL)
    fail_msg("%s", illegal);
  return use;
}

/* Function and issue of an instruction that reads x9. */
static void use_element(struct stream_bench *b, unsigned warp)
{
  struct sl_stream_use use = function(b, warp, bench_add(5, 9, 0));
  assert_true(sl_streams_ready(&b->s, warp, &use));
  sl_streams_issue(&b->s, warp, &use);
}

static void an_element_is_ready_when_its_line_has_returned(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 1, READ | 9, 0x104, 4));
  struct sl_stream_use use = function(b, 0, bench_add(5, 9, 0));
  assert_false(sl_streams_ready(&b->s, 0, &use));
  const struct sl_extension_request r = only(b);
  assert_int_equal(r.line, 0x100);
  assert_int_equal(r.unit, 1);
  assert_false(r.write || r.local);
  assert_false(sl_streams_ready(&b->s, 0, &use));
  sl_streams_return(&b->s, r.tag);
  assert_true(sl_streams_ready(&b->s, 0, &use));
}

static void lanes_of_one_line_share_a_request(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x138, 4)); /* lanes 0, 1 | 2, 3 */
  struct sl_stream_use use = function(b, 0, bench_add(5, 9, 0));
  const struct sl_extension_request first = only(b), second = only(b);
  assert_int_equal(first.line, 0x100);
  assert_int_equal(second.line, 0x140);
  sl_streams_return(&b->s, second.tag);
  assert_false(sl_streams_ready(&b->s, 0, &use));
  sl_streams_return(&b->s, first.tag);
  assert_true(sl_streams_ready(&b->s, 0, &use));
}

static void a_returned_line_does_not_validate_an_element_with_unrequested_lines(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x138, 4));
  struct sl_stream_use use = function(b, 0, bench_add(5, 9, 0));
  sl_streams_return(&b->s, only(b).tag);
  assert_false(sl_streams_ready(&b->s, 0, &use));
  sl_streams_return(&b->s, only(b).tag);
  assert_true(sl_streams_ready(&b->s, 0, &use));
}

static void free_ports_take_the_next_line_of_an_element(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  b->s.spec.lines = 2;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x138, 4)); /* lanes 0, 1 | 2, 3 */
  assert_null(bench_stream(b, 0, 1, READ | 10, 0x200, 4));
  assert_int_equal(cycle(b, ALL_PORTS, out), 3);
  assert_int_equal(out[0].unit + out[1].unit, 1);
  assert_int_equal(out[2].unit, 0);
  assert_int_equal(out[2].line, 0x140);
  assert_int_equal(out[2].port, 2);
}

static void without_a_free_port_an_element_waits_for_its_next_line(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  b->s.spec.lines = 2;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x138, 4));
  assert_int_equal(cycle(b, 1, out), 1);
  assert_int_equal(out[0].line, 0x100);
  assert_int_equal(cycle(b, 1, out), 1);
  assert_int_equal(out[0].line, 0x140);
}

static void prefetch_stops_at_the_credits(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x100, 4));
  assert_int_equal(fill(b), CREDITS);
  assert_true(sl_streams_idle(&b->s));
  use_element(b, 0);
  assert_int_equal(fill(b), 1);
}

static void prefetch_stops_at_the_count_limit(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_csr(b, 0, 0, SL_STREAM_LIMIT, 2, 0));
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x100, 4));
  assert_int_equal(fill(b), 2);
}

static void prefetch_stops_at_the_product_of_the_loops(void **state)
{
  struct stream_bench *b = *state;
  const unsigned bound = sl_extension_csr(SL_UNIT_LOOP, 0, SL_LOOP_BOUND);
  assert_null(sl_loops_csr_write(&b->loops, 0, bound, 3 | SL_LOOP_ENABLE));
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x100, 4));
  assert_int_equal(fill(b), 3);
  for (unsigned i = 0; i < 3; i++)
    use_element(b, 0);
  assert_int_equal(fill(b), 0);
  struct sl_stream_use use = function(b, 0, bench_add(5, 9, 0)); /* known to be used, so it is fetched */
  assert_int_equal(fill(b), 1);
  assert_true(sl_streams_ready(&b->s, 0, &use));
}

static void prefetch_can_be_set_after_redirect(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, SL_STREAM_REDIRECT | 9, 0x100, 4));
  assert_int_equal(fill(b), 0);
  assert_null(bench_csr(b, 0, 0, SL_STREAM_MAPPING, READ | 9, 0));
  assert_int_equal(fill(b), CREDITS);
}

static void an_element_of_no_lane_is_ready_without_a_line(void **state)
{
  struct stream_bench *b = *state;
  struct sl_stream_use use;
  assert_null(bench_csr(b, 0, 0, SL_STREAM_MAPPING, READ | 9, 0)); /* no base */
  assert_null(bench_execute(b, 0, 0, bench_add(5, 9, 0), &use));
  nothing(b);
  assert_true(sl_streams_ready(&b->s, 0, &use));
}

static void two_sources_take_one_entry(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x100, 4));
  fill(b);
  struct sl_stream_use use = function(b, 0, bench_add(5, 9, 9));
  sl_streams_issue(&b->s, 0, &use);
  assert_int_equal(fill(b), 1);
  assert_int_equal(b->s.s.counters.elements_read, 1);
}

static void the_warp_with_the_fewest_entries_is_served(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 2, 0, READ | 9, 0x100, 4));
  assert_int_equal(only(b).warp, 2);
  assert_int_equal(only(b).warp, 2);
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x100, 4));
  assert_null(bench_stream(b, 1, 0, READ | 9, 0x100, 4));
  const unsigned order[] = {0, 1, 0, 1, 2, 0, 1, 2, 0, 1};
  for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
    assert_int_equal(only(b).warp, order[i]);
  nothing(b);
}

/* -- Ports -- */

/* All units read for warp 0, each from its own page. */
static void three_readers(struct stream_bench *b)
{
  for (unsigned unit = 0; unit < BENCH_UNITS; unit++)
    assert_null(bench_stream(b, 0, unit, READ | (9 + unit), 0x400 * (unit + 1), 4));
}

static void each_port_takes_a_line_of_another_unit(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  three_readers(b);
  assert_int_equal(cycle(b, ALL_PORTS, out), 3);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(out[i].port, i);
    assert_int_equal(out[i].line, 0x400u * (out[i].unit + 1u));
  }
  assert_int_equal(cycle(b, 1, out), 1);
  assert_int_equal(cycle(b, 0, out), 0);
}

static void the_load_store_unit_wins_port_0(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  three_readers(b);
  assert_int_equal(cycle(b, ALL_PORTS & ~1u, out), 2);
  assert_int_equal(out[0].port, 1);
  assert_int_equal(out[1].port, 2);
}

static void units_in_equal_need_alternate(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  three_readers(b);
  for (unsigned i = 0; i < 6; i++) {
    assert_int_equal(cycle(b, 1, out), 1);
    assert_int_equal(out[0].unit, i % 3);
  }
}

static void the_reader_with_the_fewest_valid_entries_goes_first(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  three_readers(b);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(cycle(b, ALL_PORTS, out), 3);
    for (unsigned j = 0; j < 3; j++)
      if (out[j].unit == 0 || (out[j].unit == 2 && i == 0))
        sl_streams_return(&b->s, out[j].tag); /* valid: two of unit 0, none of 1, one of 2 */
  }
  assert_int_equal(cycle(b, 3, out), 2);
  assert_int_equal(out[0].unit, 1);
  assert_int_equal(out[1].unit, 2);
}

static void the_writer_with_the_most_filled_entries_goes_first(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  assert_null(bench_stream(b, 0, 0, WRITE | 9, 0x400, 4));
  assert_null(bench_stream(b, 0, 1, WRITE | 10, 0x800, 4));
  for (unsigned i = 0; i < 3; i++) {
    struct sl_stream_use use = function(b, 0, bench_add(i == 0 ? 9 : 10, 5, 0));
    sl_streams_issue(&b->s, 0, &use);
    sl_streams_commit(&b->s, 0, &use, BENCH_ALL);
  }
  assert_int_equal(cycle(b, 1, out), 1);
  assert_int_equal(out[0].unit, 1);
}

static void local_memory_is_served_beside_the_cache(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request out[SL_STREAMS_MAX];
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x400, 4));
  assert_null(bench_stream(b, 0, 1, READ | 10, BENCH_LOCAL, 4));
  assert_null(bench_stream(b, 0, 2, READ | 11, BENCH_LOCAL + 64, 4));
  assert_int_equal(sl_streams_cycle(&b->s, 1, true, out), 2);
  assert_false(out[0].local);
  assert_true(out[1].local);
  assert_int_equal(out[1].line, BENCH_LOCAL);
  assert_int_equal(sl_streams_cycle(&b->s, 1, false, out), 1);
  assert_false(out[0].local);
}

/* -- Writes -- */

static void a_result_is_drained_from_the_head_once_filled(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, WRITE | 9, 0x400, 4));
  struct sl_stream_use first = function(b, 0, bench_add(9, 5, 0)), second = function(b, 0, bench_add(9, 5, 0));
  sl_streams_issue(&b->s, 0, &first);
  sl_streams_issue(&b->s, 0, &second);
  nothing(b);
  sl_streams_commit(&b->s, 0, &second, BENCH_ALL);
  nothing(b);
  sl_streams_commit(&b->s, 0, &first, BENCH_ALL);
  assert_int_equal(only(b).line, 0x400);
  const struct sl_extension_request r = only(b);
  assert_true(r.write);
  assert_int_equal(r.line, 0x400);
  assert_true(sl_streams_idle(&b->s));
}

static void a_full_write_fifo_stalls_issue(void **state)
{
  struct stream_bench *b = *state;
  struct sl_stream_use use[CREDITS + 1];
  assert_null(bench_stream(b, 0, 0, WRITE | 9, 0x400, 4));
  for (unsigned i = 0; i <= CREDITS; i++) {
    use[i] = function(b, 0, bench_add(9, 5, 0));
    assert_int_equal(sl_streams_ready(&b->s, 0, &use[i]), i < CREDITS);
    if (i < CREDITS)
      sl_streams_issue(&b->s, 0, &use[i]);
  }
  sl_streams_commit(&b->s, 0, &use[0], BENCH_ALL);
  assert_false(sl_streams_ready(&b->s, 0, &use[CREDITS]));
  only(b);
  assert_true(sl_streams_ready(&b->s, 0, &use[CREDITS]));
}

static void masked_lanes_request_no_line(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, WRITE | 9, 0x438, 4));
  struct sl_stream_use use[2];
  for (unsigned i = 0; i < 2; i++) {
    use[i] = function(b, 0, bench_add(9, 5, 0));
    sl_streams_issue(&b->s, 0, &use[i]);
  }
  sl_streams_commit(&b->s, 0, &use[0], 0x8);
  sl_streams_commit(&b->s, 0, &use[1], 0);
  assert_int_equal(only(b).line, 0x440);
  assert_true(sl_streams_busy(&b->s, 0, 0));
  nothing(b); /* an empty element takes a cycle of the engine */
  assert_false(sl_streams_busy(&b->s, 0, 0));
}

static void a_stream_is_busy_until_it_has_drained(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, WRITE | 9, 0x400, 4));
  assert_false(sl_streams_busy(&b->s, 0, 0));
  struct sl_stream_use use = function(b, 0, bench_add(9, 5, 0));
  assert_null(bench_csr(b, 0, 0, SL_STREAM_MAPPING, 0, 0));
  assert_true(sl_streams_busy(&b->s, 0, 0)); /* not issued yet */
  sl_streams_issue(&b->s, 0, &use);
  assert_true(sl_streams_busy(&b->s, 0, 0));
  sl_streams_commit(&b->s, 0, &use, BENCH_ALL);
  assert_true(sl_streams_busy(&b->s, 0, 0));
  assert_int_equal(only(b).line, 0x400);
  assert_false(sl_streams_busy(&b->s, 0, 0));
}

static void read_write_fetches_and_drains_one_line_per_cycle(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, BOTH | 9, 0x400, 4));
  fill(b);
  struct sl_stream_use use = function(b, 0, bench_add(9, 9, 0));
  sl_streams_issue(&b->s, 0, &use);
  sl_streams_commit(&b->s, 0, &use, BENCH_ALL);
  struct sl_extension_request out[SL_STREAMS_MAX];
  const unsigned first = cycle(b, ALL_PORTS, out);
  const bool write = out[0].write;
  const unsigned second = cycle(b, ALL_PORTS, out);
  assert_int_equal(first, 1);
  assert_int_equal(second, 1);
  assert_int_not_equal(write, out[0].write);
}

/* -- Epochs -- */

static void a_new_base_drops_unused_elements(void **state)
{
  struct stream_bench *b = *state;
  struct sl_extension_request late[2];
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x400, 16));
  late[0] = only(b);
  late[1] = only(b);
  assert_null(bench_csr(b, 0, 0, SL_STREAM_BASE, 0x800, 4));
  assert_int_equal(b->s.s.counters.dropped, 2);
  struct sl_stream_use use = function(b, 0, bench_add(5, 9, 0));
  const struct sl_extension_request r = only(b);
  assert_int_equal(r.line, 0x800);
  sl_streams_return(&b->s, late[0].tag); /* same slot, another generation */
  sl_streams_return(&b->s, late[1].tag);
  assert_false(sl_streams_ready(&b->s, 0, &use));
  sl_streams_return(&b->s, r.tag);
  assert_true(sl_streams_ready(&b->s, 0, &use));
}

static void an_old_epoch_is_fetched_and_consumed_to_its_end(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x400, 16));
  struct sl_stream_use use[3];
  use[0] = function(b, 0, bench_add(5, 9, 0));
  use[1] = function(b, 0, bench_add(5, 9, 0));
  assert_null(bench_csr(b, 0, 0, SL_STREAM_BASE, 0x800, 16)); /* before either has issued */
  use[2] = function(b, 0, bench_add(5, 9, 0));
  const uint32_t lines[] = {0x400, 0x440, 0x800, 0x840};
  for (unsigned i = 0; i < CREDITS; i++) {
    const struct sl_extension_request r = only(b);
    assert_int_equal(r.line, lines[i]);
    sl_streams_return(&b->s, r.tag);
  }
  for (unsigned i = 0; i < 3; i++) {
    assert_true(sl_streams_ready(&b->s, 0, &use[i]));
    sl_streams_issue(&b->s, 0, &use[i]);
  }
}

static void an_epoch_is_fetched_when_its_csr_has_executed(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x400, 16));
  fill(b);
  const uint32_t base[BENCH_LANES] = {0x800, 0x800, 0x800, 0x800};
  const unsigned csr = sl_extension_csr(SL_UNIT_STREAM, 0, SL_STREAM_BASE);
  bool begun = false;
  assert_null(sl_streams_csr_write(&b->s, 0, csr, BENCH_ALL, base, &begun));
  assert_true(begun);
  nothing(b);
  sl_streams_open(&b->s, 0, csr);
  assert_int_equal(only(b).line, 0x800);
  const unsigned stride = sl_extension_csr(SL_UNIT_STREAM, 0, SL_STREAM_STRIDE);
  assert_null(sl_streams_csr_write(&b->s, 0, stride, BENCH_ALL, base, &begun));
  assert_false(begun);
}

static void results_of_an_old_epoch_go_to_its_addresses(void **state)
{
  struct stream_bench *b = *state;
  struct sl_stream_use use[2];
  assert_null(bench_stream(b, 0, 0, WRITE | 9, 0x400, 4));
  use[0] = function(b, 0, bench_add(9, 5, 0));
  assert_null(bench_csr(b, 0, 0, SL_STREAM_BASE, 0x800, 4));
  use[1] = function(b, 0, bench_add(9, 5, 0));
  for (unsigned i = 0; i < 2; i++) {
    sl_streams_issue(&b->s, 0, &use[i]);
    sl_streams_commit(&b->s, 0, &use[i], BENCH_ALL);
  }
  assert_int_equal(only(b).line, 0x400);
  assert_int_equal(only(b).line, 0x800);
}

static void disabling_prefetch_drops_it(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x400, 4));
  only(b);
  assert_null(bench_csr(b, 0, 0, SL_STREAM_MAPPING, 0, 0));
  assert_true(sl_streams_idle(&b->s));
  assert_int_equal(b->s.s.counters.dropped, 1);
}

static void a_deactivated_warp_still_drains(void **state)
{
  struct stream_bench *b = *state;
  assert_null(bench_stream(b, 0, 0, READ | 9, 0x400, 4));
  assert_null(bench_stream(b, 0, 1, WRITE | 10, 0x800, 4));
  fill(b);
  struct sl_stream_use use = function(b, 0, bench_add(10, 5, 0));
  sl_streams_issue(&b->s, 0, &use);
  sl_streams_stop(&b->s, 0);
  sl_streams_commit(&b->s, 0, &use, BENCH_ALL);
  assert_int_equal(only(b).line, 0x800);
  assert_true(sl_streams_idle(&b->s));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(an_element_is_ready_when_its_line_has_returned),
      TEST(lanes_of_one_line_share_a_request),
      TEST(a_returned_line_does_not_validate_an_element_with_unrequested_lines),
      TEST(free_ports_take_the_next_line_of_an_element),
      TEST(without_a_free_port_an_element_waits_for_its_next_line),
      TEST(prefetch_stops_at_the_credits),
      TEST(prefetch_stops_at_the_count_limit),
      TEST(prefetch_stops_at_the_product_of_the_loops),
      TEST(prefetch_can_be_set_after_redirect),
      TEST(an_element_of_no_lane_is_ready_without_a_line),
      TEST(two_sources_take_one_entry),
      TEST(the_warp_with_the_fewest_entries_is_served),
      TEST(each_port_takes_a_line_of_another_unit),
      TEST(the_load_store_unit_wins_port_0),
      TEST(units_in_equal_need_alternate),
      TEST(the_reader_with_the_fewest_valid_entries_goes_first),
      TEST(the_writer_with_the_most_filled_entries_goes_first),
      TEST(local_memory_is_served_beside_the_cache),
      TEST(a_result_is_drained_from_the_head_once_filled),
      TEST(a_full_write_fifo_stalls_issue),
      TEST(masked_lanes_request_no_line),
      TEST(a_stream_is_busy_until_it_has_drained),
      TEST(read_write_fetches_and_drains_one_line_per_cycle),
      TEST(a_new_base_drops_unused_elements),
      TEST(an_old_epoch_is_fetched_and_consumed_to_its_end),
      TEST(an_epoch_is_fetched_when_its_csr_has_executed),
      TEST(results_of_an_old_epoch_go_to_its_addresses),
      TEST(disabling_prefetch_drops_it),
      TEST(a_deactivated_warp_still_drains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
