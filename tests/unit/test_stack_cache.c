/* The stack cache's table: held, replaced and written-back blocks (specification, section 11). Blocks of 128 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "timing/memory/coalescer.h"

#define STACK UINT32_C(0xc0000000)

enum { ENTRIES = 2048, BLOCK_BITS = 7, BLOCK = 1 << BLOCK_BITS };

static struct sl_stack_cache make_cache(unsigned entries)
{
  struct sl_stack_cache c;
  sl_stack_cache_init(&c, entries, BLOCK_BITS, STACK);
  return c;
}

static uint32_t block(uint32_t number)
{
  return STACK + number * BLOCK;
}

static void an_empty_cache_holds_a_compressed_store(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  assert_int_equal(sl_stack_cache_store(&c, block(5), true), SL_STACK_CACHE_HELD);
  assert_int_equal(sl_stack_cache_store(&c, block(5), true), SL_STACK_CACHE_HELD); /* its own block again */
  assert_int_equal(sl_stack_cache_store(&c, block(6), true), SL_STACK_CACHE_HELD);
}

static void a_load_hits_any_byte_of_a_held_block(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_PASS);
  sl_stack_cache_store(&c, block(5), true);
  assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_ANSWERED);
  assert_int_equal(sl_stack_cache_load(&c, block(5) + BLOCK - 1), SL_STACK_CACHE_ANSWERED);
  assert_int_equal(sl_stack_cache_load(&c, block(5) + BLOCK), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, block(5) - 1), SL_STACK_CACHE_PASS);
  assert_int_equal(c.hits, 2);
  assert_int_equal(c.misses, 3);
}

static void a_load_miss_does_not_fill(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_PASS);
  sl_stack_cache_store(&c, block(5), true);
  assert_int_equal(sl_stack_cache_load(&c, block(5 + ENTRIES)), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_ANSWERED); /* and takes no entry */
}

static void a_compressed_store_replaces_another_block_of_its_index(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  sl_stack_cache_store(&c, block(5), true);
  assert_int_equal(sl_stack_cache_store(&c, block(5 + ENTRIES), true), SL_STACK_CACHE_REPLACED);
  assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, block(5 + ENTRIES)), SL_STACK_CACHE_ANSWERED);
  assert_int_equal(sl_stack_cache_store(&c, block(5), true), SL_STACK_CACHE_REPLACED);
}

/* Written back, then invalidated: the store itself bypasses the cache. */
static void another_store_to_a_held_block_writes_it_back_first(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  sl_stack_cache_store(&c, block(5), true);
  assert_int_equal(sl_stack_cache_store(&c, block(5) + 12, false), SL_STACK_CACHE_WRITE_BACK);
  assert_int_equal(sl_stack_cache_store(&c, block(5) + 12, false), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_store(&c, block(5), true), SL_STACK_CACHE_HELD); /* the entry is empty again */
}

static void another_store_to_an_absent_block_bypasses_the_cache(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  assert_int_equal(sl_stack_cache_store(&c, block(5), false), SL_STACK_CACHE_PASS);
  sl_stack_cache_store(&c, block(5), true);
  assert_int_equal(sl_stack_cache_store(&c, block(5 + ENTRIES), false), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, block(5)), SL_STACK_CACHE_ANSWERED);
}

static void addresses_below_the_stacks_bypass_the_cache(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  const uint32_t below = STACK - BLOCK;
  assert_int_equal(sl_stack_cache_store(&c, below, true), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, below), SL_STACK_CACHE_PASS);
  assert_int_equal(sl_stack_cache_load(&c, STACK - 1), SL_STACK_CACHE_PASS);
  assert_int_equal(c.hits + c.misses, 0);
  assert_int_equal(sl_stack_cache_store(&c, STACK, true), SL_STACK_CACHE_HELD);
  assert_int_equal(sl_stack_cache_load(&c, STACK), SL_STACK_CACHE_ANSWERED);
}

static void the_topmost_block_can_be_held(void **state)
{
  (void)state;
  struct sl_stack_cache c = make_cache(ENTRIES);
  const uint32_t top = 0u - BLOCK;
  assert_int_equal(sl_stack_cache_store(&c, top, true), SL_STACK_CACHE_HELD);
  assert_int_equal(sl_stack_cache_load(&c, UINT32_MAX), SL_STACK_CACHE_ANSWERED);
}

/* As many consecutive blocks fit as there are entries; the next replaces the first. */
static void every_size_holds_as_many_blocks_as_it_has_entries(void **state)
{
  (void)state;
  for (unsigned entries = 1; entries <= SL_STACK_CACHE_MAX; entries *= 2) {
    struct sl_stack_cache c = make_cache(entries);
    for (unsigned i = 0; i < entries; i++)
      assert_int_equal(sl_stack_cache_store(&c, block(77 + i), true), SL_STACK_CACHE_HELD);
    for (unsigned i = 0; i < entries; i++)
      assert_int_equal(sl_stack_cache_load(&c, block(77 + i)), SL_STACK_CACHE_ANSWERED);
    assert_int_equal(sl_stack_cache_store(&c, block(77 + entries), true), SL_STACK_CACHE_REPLACED);
    assert_int_equal(sl_stack_cache_load(&c, block(77)), SL_STACK_CACHE_PASS);
  }
}

/* Compared with a table of (index, tag) pairs: index = the block's low bits, tag = the others. */
static void random_accesses_agree_with_a_table_of_tags(void **state)
{
  (void)state;
  enum { SMALL = 16 };
  uint64_t seed = 9;
  struct sl_stack_cache c = make_cache(SMALL);
  bool valid[SMALL] = {false};
  uint32_t tag[SMALL] = {0};
  for (unsigned i = 0; i < 20000; i++) {
    const uint32_t number = random_below(&seed, 64), address = block(number) + random_below(&seed, BLOCK);
    const uint32_t index = address / BLOCK % SMALL, its = address / BLOCK / SMALL;
    const bool hit = valid[index] && tag[index] == its;
    switch (random_below(&seed, 3)) {
    case 0:
      assert_int_equal(sl_stack_cache_load(&c, address), hit ? SL_STACK_CACHE_ANSWERED : SL_STACK_CACHE_PASS);
      break;
    case 1:
      assert_int_equal(sl_stack_cache_store(&c, address, true),
                       hit || !valid[index] ? SL_STACK_CACHE_HELD : SL_STACK_CACHE_REPLACED);
      valid[index] = true;
      tag[index] = its;
      break;
    default:
      assert_int_equal(sl_stack_cache_store(&c, address, false), hit ? SL_STACK_CACHE_WRITE_BACK : SL_STACK_CACHE_PASS);
      valid[index] &= !hit;
      break;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_cache_holds_a_compressed_store),
      cmocka_unit_test(a_load_hits_any_byte_of_a_held_block),
      cmocka_unit_test(a_load_miss_does_not_fill),
      cmocka_unit_test(a_compressed_store_replaces_another_block_of_its_index),
      cmocka_unit_test(another_store_to_a_held_block_writes_it_back_first),
      cmocka_unit_test(another_store_to_an_absent_block_bypasses_the_cache),
      cmocka_unit_test(addresses_below_the_stacks_bypass_the_cache),
      cmocka_unit_test(the_topmost_block_can_be_held),
      cmocka_unit_test(every_size_holds_as_many_blocks_as_it_has_entries),
      cmocka_unit_test(random_accesses_agree_with_a_table_of_tags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
