/* machine/sm7/memory: cache, crossbar, DRAM and addresses, each alone, exact to the cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "machine/sm7/memory/sm7_cache.h"
#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_slice.h"

#define HEAP UINT64_C(0xc0000000)
#define ALL_BYTES UINT32_MAX

static struct sl_sm7_spec spec;
static struct sl_error err;

/* ---- the cache ---- */

static struct sl_sm7_cache cache;

/* One set. */
static void open_cache(uint32_t ways, bool write_back)
{
  const struct sl_sm7_cache_spec s = {
      .sets = 1, .ways = ways, .mshrs = 4, .merges = 2, .queue = 4, .write_back = write_back};
  assert_int_equal(sl_sm7_cache_init(&cache, &s, &err), SL_OK);
}

static enum sl_sm7_outcome access_at(enum sl_sm7_packet_kind kind, uint64_t address, uint32_t bytes, uint64_t now)
{
  const struct sl_sm7_packet p = {.address = address, .kind = (uint8_t)kind, .bytes = bytes};
  return sl_sm7_cache_access(&cache, 0, &p, now);
}

static enum sl_sm7_outcome read_at(uint64_t address, uint64_t now)
{
  return access_at(SL_SM7_READ_SECTOR, address, 0, now);
}

static enum sl_sm7_outcome write_at(uint64_t address, uint32_t bytes, uint64_t now)
{
  return access_at(SL_SM7_WRITE_SECTOR, address, bytes, now);
}

static void fill_oldest(void)
{
  const struct sl_sm7_packet p = *sl_sm7_ring_front(&cache.misses);
  sl_sm7_ring_pop(&cache.misses);
  sl_sm7_cache_fill(&cache, &p);
}

static void a_sector_misses_once_and_then_hits(void **state)
{
  (void)state;
  open_cache(2, false);
  assert_int_equal(read_at(0, 0), SL_SM7_MISS);
  assert_int_equal(read_at(4, 1), SL_SM7_PENDING); /* waits with it */
  fill_oldest();
  assert_int_equal(read_at(8, 2), SL_SM7_HIT);
  assert_int_equal(read_at(32, 3), SL_SM7_MISS); /* another sector of the line */
  assert_true(sl_sm7_cache_has_answer(&cache));
  sl_sm7_cache_answer(&cache);
  assert_true(sl_sm7_cache_has_answer(&cache));
  sl_sm7_cache_answer(&cache);
  assert_false(sl_sm7_cache_has_answer(&cache));
  sl_sm7_cache_free(&cache);
}

static void the_merge_limit_bounds_requests_per_sector(void **state)
{
  (void)state;
  open_cache(2, false);
  assert_int_equal(read_at(0, 0), SL_SM7_MISS);
  assert_int_equal(read_at(0, 1), SL_SM7_PENDING);
  assert_int_equal(read_at(0, 2), SL_SM7_BLOCKED);
  sl_sm7_cache_free(&cache);
}

static void a_miss_needs_room_for_two_in_the_queue(void **state)
{
  (void)state;
  open_cache(4, false);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(read_at(i * 128, i), SL_SM7_MISS);
  assert_int_equal(read_at(3 * 128, 3), SL_SM7_BLOCKED);
  assert_int_equal(write_at(3 * 128, ALL_BYTES, 4), SL_SM7_MISS); /* a write only for one */
  sl_sm7_cache_free(&cache);
}

static void a_set_without_free_ways_blocks(void **state)
{
  (void)state;
  open_cache(1, false);
  assert_int_equal(read_at(0, 0), SL_SM7_MISS);
  assert_int_equal(read_at(128, 1), SL_SM7_BLOCKED);
  sl_sm7_cache_free(&cache);
}

static struct sl_sm7_packet sent(void)
{
  const struct sl_sm7_packet p = *sl_sm7_ring_front(&cache.misses);
  sl_sm7_ring_pop(&cache.misses);
  return p;
}

static void answer(struct sl_sm7_packet p)
{
  sl_sm7_cache_fill(&cache, &p);
  while (sl_sm7_cache_has_answer(&cache))
    sl_sm7_cache_answer(&cache);
}

static enum sl_sm7_outcome in_set(uint32_t set, enum sl_sm7_packet_kind kind, uint64_t address, uint64_t now)
{
  const struct sl_sm7_packet p = {.address = address, .kind = (uint8_t)kind, .bytes = 1};
  const enum sl_sm7_outcome outcome = sl_sm7_cache_access(&cache, set, &p, now);
  if (kind == SL_SM7_WRITE_SECTOR)
    sent();
  return outcome;
}

/* A sector is requested, written meanwhile, evicted and requested again: only the first line gets the answer. */
static void lines_without_an_answer_are_reclaimed_last(void **state)
{
  (void)state;
  enum { A = 0, B = 128, C = 256, E = 384, OTHERS = 1024 };
  const enum sl_sm7_packet_kind READ = SL_SM7_READ_SECTOR, WRITE = SL_SM7_WRITE_SECTOR;
  const struct sl_sm7_cache_spec two_sets = {
      .sets = 2, .ways = 2, .mshrs = 4, .merges = 2, .queue = 4, .dirty_percent = 50};
  assert_int_equal(sl_sm7_cache_init(&cache, &two_sets, &err), SL_OK);
  in_set(1, WRITE, OTHERS, 0); /* half of all lines are dirty, so that these may be evicted */
  in_set(1, WRITE, OTHERS + 128, 1);
  assert_int_equal(in_set(0, READ, A, 2), SL_SM7_MISS);
  const struct sl_sm7_packet a = sent();
  in_set(0, WRITE, A, 3);
  in_set(0, READ, B, 4);
  const struct sl_sm7_packet b = sent();
  assert_int_equal(in_set(0, READ, C, 5), SL_SM7_MISS); /* replaces A */
  const struct sl_sm7_packet c = sent();
  answer(b);
  assert_int_equal(in_set(0, READ, A, 6), SL_SM7_MISS); /* replaces B, and waits for the answer to the first */
  assert_int_equal(cache.misses.count, 0);
  answer(a);
  answer(c);
  in_set(0, WRITE, C, 7);
  for (unsigned i = 2; i < 4; i++) { /* the other dirty lines are evicted: C alone may not be */
    in_set(1, READ, OTHERS + i * 128, 8 + i);
    answer(sent());
  }
  assert_int_equal(cache.mshrs_used, 0);
  assert_int_equal(in_set(0, READ, E, 12), SL_SM7_MISS);
  sl_sm7_cache_free(&cache);
}

/* Accesses to few sectors in random order, with answers and places in the queue at random times. */
static void an_access_is_blocked_again_where_the_cache_predicts_it(void **state)
{
  (void)state;
  enum { ACCESSES = 20000, SECTORS = 64 };
  unsigned predicted = 0;
  uint64_t random = 1;
  open_cache(4, true);
  for (unsigned i = 0, outstanding = 0; i < ACCESSES; i++) {
    struct sl_sm7_packet waiting[64];
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    const unsigned draw = (unsigned)(random >> 33);
    const struct sl_sm7_packet p = {.address = 32ull * (draw % SECTORS),
                                    .kind = draw / SECTORS % 3 ? SL_SM7_READ_SECTOR : SL_SM7_WRITE_SECTOR,
                                    .bytes = 1};
    if (sl_sm7_cache_access(&cache, 0, &p, i) == SL_SM7_BLOCKED) {
      const uint64_t blocked = sl_sm7_cache_blocked(&cache, &p);
      if (draw & 1u << 30 && outstanding > 0)
        sl_sm7_cache_fill(&cache, &waiting[--outstanding]);
      if (sl_sm7_cache_blocks_again(&cache, blocked)) {
        assert_int_equal(sl_sm7_cache_access(&cache, 0, &p, i), SL_SM7_BLOCKED);
        predicted++;
      }
    }
    if (draw & 1u << 29 && cache.misses.count > 0) {
      const struct sl_sm7_packet miss = sent();
      if (miss.kind == SL_SM7_READ_SECTOR)
        waiting[outstanding++] = miss;
    }
    if (draw & 1u << 28 && outstanding > 0)
      sl_sm7_cache_fill(&cache, &waiting[--outstanding]);
    while (sl_sm7_cache_has_answer(&cache))
      sl_sm7_cache_answer(&cache);
  }
  assert_true(predicted > 100);
  sl_sm7_cache_free(&cache);
}

static void lru_evicts_the_least_recently_used_line(void **state)
{
  (void)state;
  open_cache(2, false);
  read_at(0, 0);
  fill_oldest();
  read_at(128, 1);
  fill_oldest();
  assert_int_equal(read_at(0, 2), SL_SM7_HIT);
  assert_int_equal(read_at(256, 3), SL_SM7_MISS); /* replaces 128 */
  fill_oldest();
  assert_int_equal(read_at(0, 4), SL_SM7_HIT);
  assert_int_equal(read_at(128, 5), SL_SM7_MISS);
  sl_sm7_cache_free(&cache);
}

/* Reads a line, which arrives at once. */
static enum sl_sm7_outcome take_line(uint64_t line, uint64_t now)
{
  const enum sl_sm7_outcome outcome = read_at(line * 128, now);
  if (outcome == SL_SM7_MISS) {
    fill_oldest();
    sl_sm7_cache_answer(&cache);
  }
  return outcome;
}

static void fifo_evicts_the_oldest_line(void **state)
{
  (void)state;
  open_cache(2, false);
  cache.spec.replacement = SL_SM7_REPLACE_FIFO;
  take_line(0, 0);
  take_line(1, 1);
  assert_int_equal(take_line(0, 2), SL_SM7_HIT); /* does not change its age */
  take_line(2, 3);
  assert_int_equal(take_line(1, 4), SL_SM7_HIT);
  assert_int_equal(take_line(0, 5), SL_SM7_MISS);
  sl_sm7_cache_free(&cache);
}

/* Four lines accessed cyclically in three ways: the oldest is always the wrong victim. */
static void random_evicts_any_line(void **state)
{
  (void)state;
  unsigned hits[3] = {0};
  for (uint32_t policy = SL_SM7_REPLACE_LRU; policy <= SL_SM7_REPLACE_RANDOM; policy++) {
    open_cache(3, false);
    cache.spec.replacement = policy;
    for (uint64_t i = 0; i < 4000; i++)
      hits[policy] += take_line(i % 4, i) == SL_SM7_HIT;
    sl_sm7_cache_free(&cache);
  }
  assert_int_equal(hits[SL_SM7_REPLACE_LRU], 0);
  assert_int_equal(hits[SL_SM7_REPLACE_FIFO], 0);
  assert_in_range(hits[SL_SM7_REPLACE_RANDOM], 1500, 2500);
}

static void a_prefetched_sector_hits(void **state)
{
  (void)state;
  open_cache(4, false);
  const struct sl_sm7_packet next = {.address = 128, .load = SL_SM7_NO_LOAD};
  sl_sm7_cache_prefetch(&cache, 0, &next, 0);
  sl_sm7_cache_prefetch(&cache, 0, &next, 1); /* it is in flight */
  assert_int_equal(cache.misses.count, 1);
  assert_int_equal(read_at(128, 2), SL_SM7_PENDING);
  fill_oldest();
  assert_int_equal(sl_sm7_cache_answer(&cache).load, SL_SM7_NO_LOAD);
  assert_int_equal(sl_sm7_cache_answer(&cache).load, 0);
  assert_int_equal(read_at(128, 3), SL_SM7_HIT);
  assert_int_equal(cache.prefetches, 1);
  assert_int_equal(cache.prefetch_hits, 1); /* it is requested once without a miss of its own */
  assert_int_equal(cache.accesses, 2);
  assert_int_equal(cache.missed, 0);
  for (uint64_t i = 0; i < 2; i++)
    assert_int_equal(read_at((3 + i) * 128, 4), SL_SM7_MISS);
  sl_sm7_cache_prefetch(&cache, 0, &(struct sl_sm7_packet){.address = 640, .load = SL_SM7_NO_LOAD}, 5);
  assert_int_equal(cache.prefetches, 1); /* half of the MSHRs are in use */
  sl_sm7_cache_free(&cache);
}

static void a_sector_can_be_read_once_all_its_bytes_are_written(void **state)
{
  (void)state;
  open_cache(2, true);
  assert_int_equal(write_at(0, 0x0000ffff, 0), SL_SM7_MISS);
  assert_int_equal(write_at(0, 0xffff0000, 1), SL_SM7_HIT);
  assert_int_equal(read_at(0, 2), SL_SM7_HIT);
  assert_int_equal(write_at(32, 0x0000ffff, 3), SL_SM7_MISS);
  assert_int_equal(read_at(32, 4), SL_SM7_MISS); /* half of it is missing */
  sl_sm7_cache_free(&cache);
}

static void a_dirty_line_is_written_back_with_its_dirty_sectors(void **state)
{
  (void)state;
  open_cache(1, true);
  write_at(0, ALL_BYTES, 0);
  write_at(64, ALL_BYTES, 1);
  assert_int_equal(cache.misses.count, 0);
  assert_int_equal(write_at(128, ALL_BYTES, 2), SL_SM7_MISS);
  assert_int_equal(cache.misses.count, 1);
  assert_int_equal(sl_sm7_ring_front(&cache.misses)->kind, SL_SM7_WRITE_BACK);
  assert_int_equal(sl_sm7_ring_front(&cache.misses)->address, 0);
  assert_int_equal(sl_sm7_ring_front(&cache.misses)->sectors, 2);
  sl_sm7_cache_free(&cache);
}

static void every_write_is_written_through(void **state)
{
  (void)state;
  open_cache(1, false);
  write_at(0, ALL_BYTES, 0);
  assert_int_equal(write_at(0, ALL_BYTES, 1), SL_SM7_HIT);
  assert_int_equal(cache.misses.count, 2);
  sl_sm7_cache_free(&cache);
}

/* ---- the crossbar ---- */

static struct sl_sm7_crossbar crossbar;

static unsigned to_slice(const void *context, const struct sl_sm7_packet *p)
{
  (void)context;
  return p->slice;
}

static void push(unsigned input, uint8_t slice)
{
  const struct sl_sm7_packet p = {.slice = slice, .sm = (uint16_t)input};
  sl_sm7_crossbar_push(&crossbar, 0, input, slice, &p);
}

static unsigned out(unsigned output)
{
  return crossbar.out[output].count;
}

static void an_output_takes_one_packet_per_cycle_in_turn(void **state)
{
  (void)state;
  assert_int_equal(sl_sm7_crossbar_init(&crossbar, 2, 2, 8, &err), SL_OK);
  for (unsigned n = 0; n < 2; n++)
    for (unsigned i = 0; i < 2; i++)
      push(i, 0);
  for (unsigned n = 1; n <= 4; n++) {
    sl_sm7_crossbar_cycle(&crossbar, to_slice, NULL);
    assert_int_equal(out(0), n);
  }
  for (unsigned n = 0; n < 4; n++) {
    assert_int_equal(sl_sm7_ring_front(&crossbar.out[0])->sm, n % 2);
    sl_sm7_ring_pop(&crossbar.out[0]);
  }
  sl_sm7_crossbar_free(&crossbar);
}

static void an_input_sends_a_second_packet_only_to_a_later_output(void **state)
{
  (void)state;
  assert_int_equal(sl_sm7_crossbar_init(&crossbar, 1, 2, 8, &err), SL_OK);
  push(0, 0);
  push(0, 1);
  push(0, 0);
  sl_sm7_crossbar_cycle(&crossbar, to_slice, NULL);
  assert_int_equal(out(0), 1);
  assert_int_equal(out(1), 1);
  sl_sm7_crossbar_cycle(&crossbar, to_slice, NULL);
  assert_int_equal(out(0), 2);
  sl_sm7_crossbar_free(&crossbar);
}

static void open_queues(unsigned inputs, unsigned outputs)
{
  assert_int_equal(sl_sm7_crossbar_init(&crossbar, inputs, outputs, 8, &err), SL_OK);
  assert_int_equal(sl_sm7_queues_init(&crossbar, &err), SL_OK);
}

/* Input 0's first packet loses output 0 to input 1 in the second cycle. With one FIFO the packet behind it would wait.
 */
static void a_packet_of_a_virtual_queue_does_not_wait_for_one_to_another_output(void **state)
{
  (void)state;
  open_queues(2, 2);
  push(0, 0);
  push(0, 0);
  push(1, 0);
  push(0, 1);
  sl_sm7_queues_cycle(&crossbar);
  assert_int_equal(out(0), 1);
  assert_int_equal(out(1), 0); /* an input sends one packet in a cycle */
  sl_sm7_queues_cycle(&crossbar);
  assert_int_equal(crossbar.out[0].item[1].sm, 1);
  assert_int_equal(out(1), 1);
  sl_sm7_queues_cycle(&crossbar);
  assert_int_equal(out(0), 3);
  assert_int_equal(crossbar.in[0].count, 0);
  sl_sm7_crossbar_free(&crossbar);
}

/* Both outputs grant input 0 first, which accepts one. In the second iteration the other output grants input 1. */
static void virtual_queues_are_matched_until_no_pair_is_left(void **state)
{
  (void)state;
  open_queues(2, 2);
  for (unsigned n = 0; n < 4; n++)
    push(n / 2, n % 2);
  for (unsigned n = 1; n <= 2; n++) {
    sl_sm7_queues_cycle(&crossbar);
    assert_int_equal(out(0), n);
    assert_int_equal(out(1), n);
  }
  sl_sm7_crossbar_free(&crossbar);
}

static void a_virtual_queue_keeps_its_order_and_its_storage_is_used_again(void **state)
{
  (void)state;
  open_queues(1, 2);
  for (unsigned n = 0; n < 32; n++) {
    const struct sl_sm7_packet p = {.slice = n % 2, .address = n};
    sl_sm7_crossbar_push(&crossbar, 0, 0, n % 2, &p);
    if (n >= 6) { /* six or seven packets are queued */
      sl_sm7_queues_cycle(&crossbar);
      assert_int_equal(sl_sm7_ring_front(&crossbar.out[n % 2])->address, n - 6);
      sl_sm7_ring_pop(&crossbar.out[n % 2]);
    }
  }
  assert_int_equal(crossbar.in[0].count, 6);
  sl_sm7_crossbar_free(&crossbar);
}

static void plain_round_robin_lets_each_input_send_one_packet_from_the_first_on(void **state)
{
  (void)state;
  assert_int_equal(sl_sm7_crossbar_init(&crossbar, 3, 2, 8, &err), SL_OK);
  push(0, 0);
  push(0, 1);
  push(1, 0);
  push(2, 1);
  sl_sm7_crossbar_rotate(&crossbar, 1, to_slice, NULL); /* 1 and 2 send; 0 comes last and finds its output occupied */
  assert_int_equal(sl_sm7_ring_front(&crossbar.out[0])->sm, 1);
  assert_int_equal(sl_sm7_ring_front(&crossbar.out[1])->sm, 2);
  sl_sm7_crossbar_rotate(&crossbar, 1, to_slice, NULL);
  assert_int_equal(out(0), 2);
  assert_int_equal(out(1), 1); /* no second packet of 0 in a cycle */
  sl_sm7_crossbar_rotate(&crossbar, 1, to_slice, NULL);
  assert_int_equal(out(1), 2);
  sl_sm7_crossbar_free(&crossbar);
}

/* ---- DRAM ---- */

/* Ticks from queueing the request to the arrival of its data, and the number of opened rows. */
static uint64_t read_all(const uint64_t *address, unsigned count, uint64_t *activations)
{
  struct sl_sm7_dram dram;
  struct sl_sm7_ring requests[2], replies[2];
  struct sl_sm7_dram_port port[2];
  assert_int_equal(sl_sm7_dram_init(&dram, &spec, &err), SL_OK);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(sl_sm7_ring_init(&requests[i], 64, &err), SL_OK);
    assert_int_equal(sl_sm7_ring_init(&replies[i], 64, &err), SL_OK);
    port[i] = (struct sl_sm7_dram_port){&requests[i], &replies[i]};
  }
  for (unsigned i = 0; i < count; i++) {
    const struct sl_sm7_packet p = {.address = address[i]};
    sl_sm7_ring_push(&requests[0], &p);
  }
  uint64_t tick = 0;
  while (replies[0].count < count && tick < 1000) {
    sl_sm7_dram_tick(&dram, port, tick, tick); /* both clocks alike */
    tick++;
  }
  *activations = dram.activations;
  sl_sm7_dram_free(&dram);
  for (unsigned i = 0; i < 2; i++) {
    sl_sm7_ring_free(&requests[i]);
    sl_sm7_ring_free(&replies[i]);
  }
  return tick - 1;
}

static void a_read_of_a_closed_row_takes_activation_and_column(void **state)
{
  (void)state;
  uint64_t rows;
  const uint64_t address[] = {HEAP, HEAP + 32};
  /* Taken in tick 0, delay 100, queued and activated in 101, read RCD later, data CL later, reply a tick later. */
  assert_int_equal(read_all(address, 1, &rows), 101 + 12 + 12 + 1);
  assert_int_equal(rows, 1);
  /* The second request to a row only waits for the burst of its bank group. */
  assert_int_equal(read_all(address, 2, &rows), 101 + 12 + 12 + 1 + 2);
  assert_int_equal(rows, 1);
}

static void dram_of_fixed_latency_has_its_delay_and_a_request_per_tick(void **state)
{
  (void)state;
  uint64_t rows;
  const uint64_t address[] = {HEAP, HEAP + 32, HEAP + (UINT64_C(1) << 20)};
  spec.dram_scheduler = SL_SM7_FIXED;
  assert_int_equal(read_all(address, 1, &rows), 100);
  assert_int_equal(read_all(address, 3, &rows), 102);
  assert_int_equal(rows, 0);
  spec.dram_scheduler = SL_SM7_FR_FCFS;
}

/* ---- addresses ---- */

static void consecutive_256_bytes_stay_in_a_slice(void **state)
{
  (void)state;
  for (uint64_t a = HEAP; a < HEAP + 256; a += 32)
    assert_int_equal(sl_sm7_place(&spec, a).slice, sl_sm7_place(&spec, HEAP).slice);
}

/* A property of the reference's hash. */
static void aligned_24_kilobytes_have_slices_of_one_parity(void **state)
{
  (void)state;
  const uint64_t base = HEAP / (24 * 256) * (24 * 256);
  const unsigned parity = sl_sm7_place(&spec, base).slice % 2;
  for (uint64_t a = base; a < base + 24 * 256; a += 256)
    assert_int_equal(sl_sm7_place(&spec, a).slice % 2, parity);
}

static void without_the_hash_slices_follow_each_other(void **state)
{
  (void)state;
  struct sl_sm7_spec plain = spec;
  plain.l2_hash = 0;
  const uint64_t base = UINT64_C(1) << 20;
  const uint64_t start = base / (24 * 256) * (24 * 256);
  for (unsigned channel = 0; channel < 24; channel++)
    assert_int_equal(sl_sm7_place(&plain, start + channel * 256).slice / 2, channel);
}

static int setup(void **state)
{
  (void)state;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sector_misses_once_and_then_hits),
      cmocka_unit_test(the_merge_limit_bounds_requests_per_sector),
      cmocka_unit_test(a_miss_needs_room_for_two_in_the_queue),
      cmocka_unit_test(a_set_without_free_ways_blocks),
      cmocka_unit_test(lines_without_an_answer_are_reclaimed_last),
      cmocka_unit_test(lru_evicts_the_least_recently_used_line),
      cmocka_unit_test(an_access_is_blocked_again_where_the_cache_predicts_it),
      cmocka_unit_test(fifo_evicts_the_oldest_line),
      cmocka_unit_test(random_evicts_any_line),
      cmocka_unit_test(a_prefetched_sector_hits),
      cmocka_unit_test(a_sector_can_be_read_once_all_its_bytes_are_written),
      cmocka_unit_test(a_dirty_line_is_written_back_with_its_dirty_sectors),
      cmocka_unit_test(every_write_is_written_through),
      cmocka_unit_test(an_output_takes_one_packet_per_cycle_in_turn),
      cmocka_unit_test(an_input_sends_a_second_packet_only_to_a_later_output),
      cmocka_unit_test(a_packet_of_a_virtual_queue_does_not_wait_for_one_to_another_output),
      cmocka_unit_test(virtual_queues_are_matched_until_no_pair_is_left),
      cmocka_unit_test(a_virtual_queue_keeps_its_order_and_its_storage_is_used_again),
      cmocka_unit_test(plain_round_robin_lets_each_input_send_one_packet_from_the_first_on),
      cmocka_unit_test(a_read_of_a_closed_row_takes_activation_and_column),
      cmocka_unit_test(dram_of_fixed_latency_has_its_delay_and_a_request_per_tick),
      cmocka_unit_test(consecutive_256_bytes_stay_in_a_slice),
      cmocka_unit_test(aligned_24_kilobytes_have_slices_of_one_parity),
      cmocka_unit_test(without_the_hash_slices_follow_each_other),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
