/* The memory image: zero until written, little-endian, and a hash of contents only. */
#define _DEFAULT_SOURCE /* mincore */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "mem/memory.h"
#include "random.h"

static int setup(void **state)
{
  static struct sl_memory memory;
  *state = &memory;
  return sl_memory_init(&memory, 0x08008000, NULL) != SL_OK;
}

/* As on hosts without 4 GiB of free address space. */
static int setup_scattered(void **state)
{
  const int failed = setup(state);
  if (!failed)
    sl_memory_scatter(*state);
  return failed;
}

static int teardown(void **state)
{
  sl_memory_free(*state);
  return 0;
}

static unsigned pages(const struct sl_memory *m)
{
  unsigned n = 0;
  for (unsigned i = 0; i < SL_PAGE_COUNT; i++)
    n += m->pages[i] != NULL;
  return n;
}

static void unwritten_memory_reads_zero_and_stays_untouched(void **state)
{
  struct sl_memory *m = *state;
  uint8_t bytes[100], zero[100] = {0};
  memset(bytes, 0xaa, sizeof bytes);
  sl_memory_read(m, 0xfffeffd0, bytes, sizeof bytes);
  assert_memory_equal(bytes, zero, sizeof bytes);
  assert_int_equal(pages(m), 0);
  assert_int_equal(sl_memory_load(m, 0x40000000, 4), 0);
}

static void words_are_little_endian(void **state)
{
  struct sl_memory *m = *state;
  sl_memory_store(m, 0x1000, 4, 0x44332211);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(sl_memory_load(m, 0x1000 + i, 1), 0x11 * (i + 1));
  assert_int_equal(sl_memory_load(m, 0x1000, 2), 0x2211);
  assert_int_equal(sl_memory_load(m, 0x1002, 2), 0x4433);
}

static void narrow_stores_change_only_their_bytes(void **state)
{
  struct sl_memory *m = *state;
  sl_memory_store(m, 0x1000, 4, 0x44332211);
  sl_memory_store(m, 0x1001, 1, 0xabcdef99);
  assert_int_equal(sl_memory_load(m, 0x1000, 4), 0x44339911);
  sl_memory_store(m, 0x1002, 2, 0x12345678);
  assert_int_equal(sl_memory_load(m, 0x1000, 4), 0x56789911);
}

static void ranges_cross_page_borders(void **state)
{
  struct sl_memory *m = *state;
  uint64_t seed = 1;
  enum { SIZE = 2 * SL_PAGE_BYTES + 100 };
  static uint8_t bytes[SIZE], back[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (uint8_t)random32(&seed);
  const uint32_t address = 0x9000fff3;
  sl_memory_write(m, address, bytes, SIZE);
  assert_int_equal(pages(m), 4);
  sl_memory_read(m, address, back, SIZE);
  assert_memory_equal(bytes, back, SIZE);
  assert_int_equal(sl_memory_load(m, 0x90010000, 1), bytes[0xd]);
}

static void the_first_and_the_last_byte_are_memory(void **state)
{
  struct sl_memory *m = *state;
  sl_memory_store(m, 0, 1, 7);
  sl_memory_store(m, UINT32_MAX, 1, 9);
  assert_int_equal(sl_memory_load(m, 0, 1), 7);
  assert_int_equal(sl_memory_load(m, UINT32_MAX, 1), 9);
  assert_int_equal(pages(m), 2);
}

/* FNV-1a's offset basis. */
static void empty_memory_has_the_initial_hash(void **state)
{
  assert_true(sl_memory_hash(*state) == UINT64_C(0xcbf29ce484222325));
}

static void the_hash_does_not_depend_on_the_order_of_writing(void **state)
{
  struct sl_memory *a = *state, b;
  assert_int_equal(sl_memory_init(&b, 0, NULL), SL_OK);
  for (uint32_t i = 0; i < 100; i++) {
    sl_memory_store(a, i * 0x01234568, 4, i);
    sl_memory_store(&b, (99 - i) * 0x01234568, 4, 99 - i);
  }
  assert_true(sl_memory_hash(a) == sl_memory_hash(&b));
  sl_memory_free(&b);
}

static void pages_of_zeros_do_not_change_the_hash(void **state)
{
  struct sl_memory *m = *state;
  sl_memory_store(m, 0x90000000, 4, 5);
  const uint64_t hash = sl_memory_hash(m);
  sl_memory_store(m, 0x70000000, 4, 0);
  sl_memory_load(m, 0xa0000000, 4);
  sl_memory_store(m, 0xa0000000, 4, 1);
  sl_memory_store(m, 0xa0000000, 4, 0);
  assert_int_equal(pages(m), 3);
  assert_true(sl_memory_hash(m) == hash);
}

static void the_hash_depends_on_every_byte_and_its_place(void **state)
{
  struct sl_memory *m = *state;
  uint64_t seed = 4, hash[65];
  hash[64] = sl_memory_hash(m);
  for (unsigned i = 0; i < 64; i++) { /* the same byte in 64 places, never twice the same hash */
    const uint32_t address = random32(&seed);
    sl_memory_store(m, address, 1, 1);
    hash[i] = sl_memory_hash(m);
    sl_memory_store(m, address, 1, 0);
    for (unsigned j = 0; j < i; j++)
      assert_true(hash[i] != hash[j]);
    assert_true(hash[i] != hash[64]);
  }
  assert_true(sl_memory_hash(m) == hash[64]);
}

static void flat_memory_has_every_byte_at_its_address(void **state)
{
  struct sl_memory *m = *state;
  if (m->flat == NULL)
    skip();
  sl_memory_store(m, 0x12345678, 4, 0x44332211);
  sl_memory_store(m, UINT32_MAX, 1, 9);
  assert_int_equal(m->flat[0x1234567a], 0x33);
  assert_int_equal(m->flat[UINT32_MAX], 9);
  assert_int_equal(m->flat[0x80000000], 0);
}

/* Host memory that flat memory occupies, in bytes. */
static uint64_t resident(const struct sl_memory *m)
{
  const size_t bytes = (size_t)SL_PAGE_COUNT << SL_PAGE_BITS, page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *in = malloc(bytes / page);
  uint64_t sum = 0;
  assert_non_null(in);
  assert_int_equal(mincore(m->flat, bytes, in), 0);
  for (size_t i = 0; i < bytes / page; i++)
    sum += in[i] & 1 ? page : 0;
  free(in);
  return sum;
}

static void neighbours_across_large_page_borders_take_little_memory(void **state)
{
  struct sl_memory *m = *state;
  enum { BORDERS = 200, MORE = 64 << 20 };
  if (m->flat == NULL)
    skip();
  for (uint32_t i = 1; i <= BORDERS; i++) {
    const uint32_t border = i * SL_LARGE_PAGES << SL_PAGE_BITS;
    sl_memory_store(m, border - 4, 4, i);
    sl_memory_store(m, border, 4, i);
  }
  assert_int_equal(pages(m), 2 * BORDERS);
  assert_true(resident(m) <= UINT64_C(2) * BORDERS * SL_PAGE_BYTES + MORE);
}

static void a_filled_large_page_wastes_no_memory(void **state)
{
  struct sl_memory *m = *state;
  if (m->flat == NULL)
    skip();
  for (uint32_t page = SL_LARGE_PAGES - 1; page < 2 * SL_LARGE_PAGES; page++)
    sl_memory_store(m, page << SL_PAGE_BITS, 4, page);
  assert_int_equal(m->large.unused, 0);
}

/* Where unwritten words are not 0, a zeroed buffer takes host memory only where it is used. */
static void a_cleared_range_of_filled_memory_takes_little_memory(void **state)
{
  enum { SIZE = 1 << 28, FIRST = 0x10000100, PIECE = SIZE / 64, FILL = 0x0badf00d };
  struct sl_memory *m = *state;
  sl_memory_fill(m, FILL);
  sl_memory_store(m, FIRST + SIZE / 2, 4, 7);
  sl_memory_clear(m, FIRST, SIZE);
  if (m->flat != NULL)
    assert_true(resident(m) < SIZE / 16);
  for (uint32_t at = 0; at < SIZE; at += PIECE) {
    assert_int_equal(sl_memory_load(m, FIRST + at, 4), 0);
    assert_int_equal(sl_memory_load(m, FIRST + at + PIECE - 4, 4), 0);
  }
  assert_int_equal(sl_memory_load(m, FIRST - 4, 4), FILL);
  assert_int_equal(sl_memory_load(m, FIRST + SIZE, 4), FILL);
}

/* A dropped range is unwritten again and takes no host memory; its neighbours stay. */
static void a_dropped_range_takes_no_memory(void **state)
{
  enum { SIZE = 1 << 26, FIRST = 0x10000100, FILL = 0x0badf00d };
  struct sl_memory *m = *state;
  sl_memory_fill(m, FILL);
  for (uint32_t at = 0; at < SIZE; at += 4096)
    sl_memory_store(m, FIRST + at, 4, 7);
  sl_memory_store(m, FIRST - 4, 4, 8);
  sl_memory_drop(m, FIRST, SIZE);
  if (m->flat != NULL) {
    assert_true(resident(m) < SIZE / 16);
    assert_int_equal(sl_memory_load(m, FIRST + SIZE / 2, 4), FILL);
  }
  assert_int_equal(sl_memory_load(m, FIRST - 4, 4), 8);
  sl_memory_store(m, FIRST + SIZE / 2, 4, 9);
  assert_int_equal(sl_memory_load(m, FIRST + SIZE / 2, 4), 9);
}

#define BOTH(test)                                                                                                     \
  cmocka_unit_test_setup_teardown(test, setup, teardown),                                                              \
      cmocka_unit_test_setup_teardown(test, setup_scattered, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      BOTH(unwritten_memory_reads_zero_and_stays_untouched),
      BOTH(words_are_little_endian),
      BOTH(narrow_stores_change_only_their_bytes),
      BOTH(ranges_cross_page_borders),
      BOTH(the_first_and_the_last_byte_are_memory),
      BOTH(empty_memory_has_the_initial_hash),
      BOTH(the_hash_does_not_depend_on_the_order_of_writing),
      BOTH(pages_of_zeros_do_not_change_the_hash),
      BOTH(the_hash_depends_on_every_byte_and_its_place),
      BOTH(a_cleared_range_of_filled_memory_takes_little_memory),
      BOTH(a_dropped_range_takes_no_memory),
      cmocka_unit_test_setup_teardown(flat_memory_has_every_byte_at_its_address, setup, teardown),
      cmocka_unit_test_setup_teardown(neighbours_across_large_page_borders_take_little_memory, setup, teardown),
      cmocka_unit_test_setup_teardown(a_filled_large_page_wastes_no_memory, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
