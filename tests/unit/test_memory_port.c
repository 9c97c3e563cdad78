/* Off-chip memory: requests through FIFOs to DRAM and answers back.
 *
 * In order, with one port and a delay of 1, it is the memory of Vortex' RTL test bench: 13 cycles from request to
 * answer in an open row, 20 in a closed one, 27 if another row is open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/schema.h"
#include "random.h"
#include "timing/memory/memory_port.h"

enum { MAX_ANSWERS = 1 << 14, CHANNEL = 1 << 6, COLUMN = 1 << 7, PSEUDO_CHANNEL = 1 << 12, ROW = 1 << 17 };

struct bench {
  struct sl_memory_port memory;
  uint64_t now;
  unsigned answers;
  uint64_t tag[MAX_ANSWERS];
  uint64_t cycle[MAX_ANSWERS];
};

static struct sl_memory_port_spec spec_of(unsigned ports, bool in_order)
{
  return (struct sl_memory_port_spec){
      .dram = sl_dram_default_spec(&sl_dram_hbm2), .ports = ports, .in_order = in_order, .response_delay = 1};
}

static struct bench *make_bench(unsigned ports, bool in_order)
{
  struct bench *b = calloc(1, sizeof(*b));
  struct sl_error err;
  const struct sl_memory_port_spec spec = spec_of(ports, in_order);
  assert_non_null(b);
  assert_int_equal(sl_memory_port_check(&spec, &err), SL_OK);
  sl_memory_port_init(&b->memory, &spec);
  return b;
}

static void free_bench(struct bench *b)
{
  sl_memory_port_free(&b->memory);
  free(b);
}

/* The memory's part of the next cycle; requests are put after it. */
static void step(struct bench *b)
{
  b->now++;
  sl_memory_port_cycle(&b->memory, b->now);
  uint64_t tag;
  while (sl_memory_port_answer(&b->memory, b->now, &tag)) {
    assert_true(b->answers < MAX_ANSWERS);
    b->tag[b->answers] = tag;
    b->cycle[b->answers++] = b->now;
  }
}

static void put(struct bench *b, unsigned port, uint64_t address, bool write, uint64_t tag)
{
  assert_true(sl_memory_port_put(&b->memory, port, b->now, address, write, tag));
}

static void run_to(struct bench *b, uint64_t end)
{
  while (b->now < end)
    step(b);
}

static void run_to_answer(struct bench *b, unsigned n)
{
  while (b->answers < n) {
    assert_true(b->now < 100000);
    step(b);
  }
}

static uint64_t latency(struct bench *b, uint64_t address)
{
  run_to(b, b->now + 100);
  const uint64_t start = b->now;
  put(b, 0, address, false, 0);
  run_to_answer(b, b->answers + 1);
  return b->now - start;
}

static void latency_equals_the_test_bench(void **state)
{
  (void)state;
  struct bench *b = make_bench(1, true);
  assert_int_equal(latency(b, 0), 20);
  assert_int_equal(latency(b, COLUMN), 13);
  assert_int_equal(latency(b, ROW), 27);
  free_bench(b);
}

/* A core that is evaluated before the memory in the same cycle gets the same results. */
static void order_within_a_cycle_does_not_matter(void **state)
{
  (void)state;
  struct bench *b = make_bench(1, true);
  uint64_t tag, cycle = 5;
  assert_true(sl_memory_port_put(&b->memory, 0, cycle, 0, false, 3));
  sl_memory_port_cycle(&b->memory, cycle);
  for (cycle = 6; !sl_memory_port_answer(&b->memory, cycle, &tag); cycle++)
    sl_memory_port_cycle(&b->memory, cycle);
  assert_int_equal(cycle, 5 + 20);
  assert_int_equal(tag, 3);
  free_bench(b);
}

/* Cycles per request of a burst put at once, up to the last answer; the last request is a read. */
static double service(struct bench *b, unsigned requests, uint64_t mask, unsigned write_every)
{
  uint64_t seed = 9;
  const uint64_t start = b->now;
  unsigned reads = 0;
  for (unsigned i = 0; i < requests; i++) {
    const bool write = write_every > 0 && i % write_every == 0 && i + 1 < requests;
    put(b, 0, random64(&seed) & mask, write, i);
    reads += !write;
  }
  run_to_answer(b, reads);
  const double cycles = (double)(b->now - start) / requests;
  free_bench(b);
  return cycles;
}

static void assert_between(double value, double low, double high)
{
  assert_true(value >= low && value <= high);
}

/* The reference: 2042 to 2080 cycles for 512 scattered lines of one pseudo-channel. */
static void scattered_lines_take_four_cycles_each(void **state)
{
  (void)state;
  const uint64_t one_pseudo_channel = 0xffffffff & ~(uint64_t)(PSEUDO_CHANNEL | CHANNEL | 63);
  assert_between(service(make_bench(1, true), 512, one_pseudo_channel, 0), 2042 / 512.0 - 0.03, 2080 / 512.0 + 0.2);
  assert_between(service(make_bench(1, true), 2048, 0xf80, 0), 3.95, 4.1);
}

static void requests_wait_for_earlier_writes(void **state)
{
  (void)state;
  enum { WRITES = 400 };
  struct bench *b = make_bench(1, true);
  for (unsigned i = 0; i < WRITES; i++)
    put(b, 0, i % 32 * COLUMN, true, 0);
  put(b, 0, ROW, false, 1);
  run_to_answer(b, 1);
  assert_between((double)b->now, 4.0 * (WRITES - 33), 4.0 * WRITES + 60);
  free_bench(b);
}

static void a_waiting_head_blocks_its_port(void **state)
{
  (void)state;
  struct bench *b = make_bench(1, true);
  for (unsigned i = 0; i < 100; i++)
    put(b, 0, i % 32 * COLUMN, false, i);
  put(b, 0, CHANNEL, false, 100);
  run_to_answer(b, 30);
  assert_int_equal(b->memory.s.dram.channel[4].under_way + b->memory.s.dram.channel[4].reads.count, 0);
  run_to_answer(b, 101);
  assert_true(b->now > 100 * 4);
  free_bench(b);
}

static void a_waiting_head_blocks_no_other_port(void **state)
{
  (void)state;
  struct bench *b = make_bench(2, false);
  for (unsigned i = 0; i < 100; i++)
    put(b, 0, i % 32 * COLUMN, false, i);
  put(b, 1, CHANNEL, false, 100);
  run_to_answer(b, 1);
  assert_int_equal(b->tag[0], 0);
  run_to_answer(b, 2);
  assert_int_equal(b->tag[1], 100);
  assert_int_equal(b->cycle[1], b->cycle[0]);
  free_bench(b);
}

/* A later read's data overtakes an answer: 20 cycles for the first, whose row is closed, then one per cycle. */
static void answers_come_in_order_one_per_cycle(void **state)
{
  (void)state;
  struct bench *b = make_bench(1, true);
  latency(b, 0);
  latency(b, CHANNEL);
  const unsigned before = b->answers;
  const uint64_t start = b->now;
  put(b, 0, ROW, false, 1);
  put(b, 0, CHANNEL, false, 2);
  put(b, 0, CHANNEL | COLUMN, false, 3);
  run_to_answer(b, before + 3);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(b->tag[before + i], 1 + i);
    assert_int_equal(b->cycle[before + i], b->cycle[before] + i);
  }
  assert_true(b->cycle[before] - start >= 27);
  free_bench(b);
}

static void ports_are_answered_out_of_order(void **state)
{
  (void)state;
  struct bench *b = make_bench(1, false);
  latency(b, CHANNEL);
  const unsigned before = b->answers;
  put(b, 0, 0, false, 1);
  put(b, 0, CHANNEL, false, 2);
  run_to_answer(b, before + 2);
  assert_int_equal(b->tag[before], 2);
  assert_int_equal(b->tag[before + 1], 1);
  free_bench(b);
}

static void random_put(struct sl_memory_port *m, uint64_t *seed, uint64_t cycle)
{
  const unsigned n = random_below(seed, 40) == 0 ? random_below(seed, 24) : 0;
  for (unsigned i = 0; i < n; i++) {
    const unsigned port = random_below(seed, m->ports);
    const uint64_t address = random64(seed) & 0x61fc0;
    assert_true(sl_memory_port_put(m, port, cycle, address, random_below(seed, 3) == 0, cycle * 64 + i));
  }
}

/* One memory is called in every cycle, another only at its events. */
static void skipping_changes_nothing(unsigned ports, bool in_order)
{
  struct bench *stepped = make_bench(ports, in_order), *skipping = make_bench(ports, in_order);
  uint64_t seed[2] = {4, 4}, tag[2];
  unsigned skipped = 0;
  for (uint64_t cycle = 1; cycle < 30000; cycle++) {
    sl_memory_port_cycle(&stepped->memory, cycle);
    const bool called = sl_memory_port_next(&skipping->memory, cycle) == cycle;
    const bool answers = sl_memory_port_next_answer(&skipping->memory, cycle) == cycle;
    if (called)
      sl_memory_port_cycle(&skipping->memory, cycle);
    skipped += !called;
    while (sl_memory_port_answer(&stepped->memory, cycle, &tag[0])) {
      assert_true(answers && sl_memory_port_answer(&skipping->memory, cycle, &tag[1]));
      assert_int_equal(tag[0], tag[1]);
    }
    assert_false(sl_memory_port_answer(&skipping->memory, cycle, &tag[1]));
    random_put(&stepped->memory, &seed[0], cycle);
    random_put(&skipping->memory, &seed[1], cycle);
  }
  assert_true(skipped > 1000);
  free_bench(stepped);
  free_bench(skipping);
}

static void cycles_can_be_skipped_in_order(void **state)
{
  (void)state;
  skipping_changes_nothing(1, true);
}

static void cycles_can_be_skipped_out_of_order(void **state)
{
  (void)state;
  skipping_changes_nothing(4, false);
}

static void idle_memory_has_no_next_event(void **state)
{
  (void)state;
  struct bench *b = make_bench(1, true);
  assert_int_equal(sl_memory_port_next(&b->memory, 7), UINT64_MAX);
  assert_int_equal(sl_memory_port_next_answer(&b->memory, 7), UINT64_MAX);
  put(b, 0, 0, false, 1);
  assert_int_equal(sl_memory_port_next(&b->memory, 1), 1);
  run_to_answer(b, 1);
  assert_int_equal(sl_memory_port_next(&b->memory, b->now + 1), UINT64_MAX);
  free_bench(b);
}

static bool restore(struct bench *b, const uint8_t *saved, size_t size)
{
  struct sl_archive archive = {.from = saved, .size = size};
  sl_memory_port_walk(&b->memory, &archive);
  return !archive.bad && archive.at == size;
}

/* Saves a memory with more queued requests than the initial size of its rings. */
static void restored_memory_goes_on_alike(bool in_order)
{
  struct bench *b = make_bench(2, in_order), *copy = make_bench(2, in_order);
  uint64_t seed = 17;
  for (unsigned i = 0; i < 300; i++)
    put(b, i % 2, random64(&seed) & 0xfffc0, i % 3 == 0, i);
  run_to(b, 200);
  put(copy, 0, 0, false, 1);
  run_to(copy, 200);
  struct sl_archive measure = {.to = NULL};
  sl_memory_port_walk(&b->memory, &measure);
  uint8_t *saved = malloc(measure.at);
  assert_non_null(saved);
  sl_memory_port_walk(&b->memory, &(struct sl_archive){.to = saved});
  assert_false(restore(copy, saved, measure.at - 1));
  assert_false(restore(copy, saved, sizeof copy->memory.s));
  assert_true(restore(copy, saved, measure.at));
  copy->answers = 0;
  const unsigned before = b->answers;
  run_to_answer(b, 200);
  run_to_answer(copy, 200 - before);
  for (unsigned i = before; i < 200; i++) {
    assert_int_equal(b->tag[i], copy->tag[i - before]);
    assert_int_equal(b->cycle[i], copy->cycle[i - before]);
  }
  free(saved);
  free_bench(b);
  free_bench(copy);
}

static void saved_memory_can_be_restored(void **state)
{
  (void)state;
  restored_memory_goes_on_alike(true);
  restored_memory_goes_on_alike(false);
}

static void impossible_ports_are_refused(void **state)
{
  (void)state;
  struct sl_error err;
  struct sl_memory_port_spec spec = spec_of(0, true);
  assert_int_equal(sl_memory_port_check(&spec, &err), SL_USAGE);
  spec = spec_of(SL_MEMORY_MAX_PORTS + 1, true);
  assert_int_equal(sl_memory_port_check(&spec, &err), SL_USAGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(latency_equals_the_test_bench),         cmocka_unit_test(order_within_a_cycle_does_not_matter),
      cmocka_unit_test(scattered_lines_take_four_cycles_each), cmocka_unit_test(requests_wait_for_earlier_writes),
      cmocka_unit_test(a_waiting_head_blocks_its_port),        cmocka_unit_test(a_waiting_head_blocks_no_other_port),
      cmocka_unit_test(answers_come_in_order_one_per_cycle),   cmocka_unit_test(ports_are_answered_out_of_order),
      cmocka_unit_test(cycles_can_be_skipped_in_order),        cmocka_unit_test(cycles_can_be_skipped_out_of_order),
      cmocka_unit_test(idle_memory_has_no_next_event),         cmocka_unit_test(saved_memory_can_be_restored),
      cmocka_unit_test(impossible_ports_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
