/* The allocator of device memory: placement, freeing, reserved ranges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mem/allocator.h"
#include "random.h"

enum { BASE = 0x10000000, END = 0x10010000 };

static void buffers_are_aligned_and_first_fit(void **state)
{
  (void)state;
  struct sl_allocator a;
  uint64_t first, second, third, again;
  uint64_t size;
  sl_allocator_init(&a, BASE + 4, END);
  assert_int_equal(sl_allocator_take(&a, 1, &first, NULL), SL_OK);
  assert_int_equal(sl_allocator_take(&a, 257, &second, NULL), SL_OK);
  assert_int_equal(sl_allocator_take(&a, 256, &third, NULL), SL_OK);
  assert_int_equal(first, BASE + 256);
  assert_int_equal(second, BASE + 512);
  assert_int_equal(third, BASE + 1024);
  assert_int_equal(sl_allocator_give_back(&a, second, &size, NULL), SL_OK);
  assert_int_equal(size, 257);
  assert_int_equal(sl_allocator_take(&a, 513, &again, NULL), SL_OK);
  assert_int_equal(again, BASE + 1280);
  assert_int_equal(sl_allocator_take(&a, 512, &again, NULL), SL_OK);
  assert_int_equal(again, second);
  sl_allocator_free(&a);
}

static void the_whole_heap_and_no_more_can_be_allocated(void **state)
{
  (void)state;
  struct sl_allocator a;
  struct sl_error err;
  uint64_t address;
  sl_allocator_init(&a, BASE, END);
  assert_int_equal(sl_allocator_take(&a, END - BASE + 1, &address, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "has 65536"));
  assert_int_equal(sl_allocator_take(&a, UINT64_MAX, &address, &err), SL_USAGE);
  assert_int_equal(sl_allocator_take(&a, 0, &address, &err), SL_USAGE);
  assert_int_equal(sl_allocator_take(&a, END - BASE, &address, &err), SL_OK);
  assert_int_equal(address, BASE);
  assert_int_equal(sl_allocator_take(&a, 1, &address, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "has 0"));
  sl_allocator_free(&a);
}

static void other_addresses_cannot_be_freed(void **state)
{
  (void)state;
  struct sl_allocator a;
  uint64_t address;
  uint64_t size;
  sl_allocator_init(&a, BASE, END);
  assert_int_equal(sl_allocator_take(&a, 300, &address, NULL), SL_OK);
  assert_int_equal(sl_allocator_reserve(&a, BASE + 1024, 16, NULL), SL_OK);
  assert_int_equal(sl_allocator_give_back(&a, address + 256, &size, NULL), SL_USAGE);
  assert_int_equal(sl_allocator_give_back(&a, BASE + 1024, &size, NULL), SL_USAGE);
  assert_int_equal(sl_allocator_give_back(&a, address, &size, NULL), SL_OK);
  assert_int_equal(sl_allocator_give_back(&a, address, &size, NULL), SL_USAGE);
  sl_allocator_free(&a);
}

static void reserved_ranges_may_overlap_but_not_buffers(void **state)
{
  (void)state;
  struct sl_allocator a;
  struct sl_error err;
  uint64_t address;
  sl_allocator_init(&a, BASE, END);
  assert_int_equal(sl_allocator_reserve(&a, BASE - 100, 200, &err), SL_OK); /* begins before */
  assert_int_equal(sl_allocator_reserve(&a, BASE + 50, 1000, &err), SL_OK);
  assert_int_equal(sl_allocator_reserve(&a, BASE + 300, 10, &err), SL_OK);
  assert_int_equal(sl_allocator_reserve(&a, UINT32_MAX, 1, &err), SL_OK);
  assert_int_equal(sl_allocator_take(&a, 16, &address, &err), SL_OK);
  assert_int_equal(address, BASE + 1280);
  assert_int_equal(sl_allocator_reserve(&a, BASE + 1295, 10, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "a buffer of 16 bytes"));
  assert_int_equal(sl_allocator_reserve(&a, BASE + 1296, 10, &err), SL_OK);
  sl_allocator_free(&a);
}

/* Compares with a map of the bytes in use. */
static void random_sequences_never_overlap(void **state)
{
  (void)state;
  static uint8_t used[END - BASE];
  struct {
    uint64_t address, size;
  } live[64] = {{0, 0}};
  struct sl_allocator a;
  uint64_t seed = 7;
  sl_allocator_init(&a, BASE, END);
  memset(used, 0, sizeof used);
  for (unsigned step = 0; step < 20000; step++) {
    const unsigned i = random32(&seed) % 64;
    uint64_t size;
    if (live[i].size != 0) {
      assert_int_equal(sl_allocator_give_back(&a, live[i].address, &size, NULL), SL_OK);
      assert_int_equal(size, live[i].size);
      memset(used + (live[i].address - BASE), 0, live[i].size);
      live[i].size = 0;
      continue;
    }
    const uint64_t wanted = 1 + random32(&seed) % 3000;
    uint64_t address;
    if (sl_allocator_take(&a, wanted, &address, NULL) != SL_OK)
      continue;
    assert_true(address >= BASE && address + wanted <= END && address % SL_BUFFER_ALIGNMENT == 0);
    for (uint64_t k = 0; k < wanted; k++)
      assert_int_equal(used[address - BASE + k], 0);
    memset(used + (address - BASE), 1, wanted);
    assert_non_null(sl_allocator_buffer(&a, address + wanted - 1));
    live[i].address = address;
    live[i].size = wanted;
  }
  sl_allocator_free(&a);
}

static void buffers_are_placed_at_addresses(void **state)
{
  (void)state;
  struct sl_allocator a;
  struct sl_error err;
  uint64_t address, size;
  sl_allocator_init(&a, 0x1000, 0x9000);
  a.ascending = true;
  assert_int_equal(sl_allocator_place(&a, 0x4000, 0x100, &err), SL_OK);
  assert_int_equal(sl_allocator_place(&a, 0x3f00, 0x100, &err), SL_OK);
  assert_int_equal(sl_allocator_place(&a, 0x3e00, 0x101, &err), SL_USAGE); /* overlaps */
  assert_int_equal(sl_allocator_place(&a, 0x4000, 1, &err), SL_USAGE);     /* taken */
  assert_int_equal(sl_allocator_place(&a, 0x4180, 1, &err), SL_USAGE);     /* not aligned */
  assert_int_equal(sl_allocator_place(&a, 0x0f00, 1, &err), SL_USAGE);     /* below */
  assert_int_equal(sl_allocator_place(&a, 0x8f00, 0x101, &err), SL_USAGE); /* beyond */
  assert_int_equal(sl_allocator_place(&a, 0x9000, 1, &err), SL_USAGE);
  assert_int_equal(sl_allocator_place(&a, 0x5000, UINT64_MAX, &err), SL_USAGE);
  assert_int_equal(sl_allocator_place(&a, 0x5000, 0, &err), SL_USAGE);
  assert_int_equal(sl_allocator_place(&a, 0x8f00, 0x100, &err), SL_OK);
  assert_int_equal(sl_allocator_give_back(&a, 0x8f00, &size, &err), SL_OK);
  assert_int_equal(sl_allocator_take(&a, 0x100, &address, &err), SL_OK); /* the end is reached: the lowest place */
  assert_true(address == 0x1000);
  sl_allocator_free(&a);
}

static void the_nearest_buffer_is_found(void **state)
{
  (void)state;
  struct sl_allocator a;
  struct sl_error err;
  sl_allocator_init(&a, 0x1000, 0x9000);
  assert_null(sl_allocator_nearest(&a, 0x2000));
  assert_int_equal(sl_allocator_place(&a, 0x3000, 0x80, &err), SL_OK);
  assert_int_equal(sl_allocator_place(&a, 0x4000, 0x80, &err), SL_OK);
  assert_int_equal(sl_allocator_reserve(&a, 0x3800, 0x80, &err), SL_OK);
  assert_true(sl_allocator_nearest(&a, 0x3010)->first == 0x3000);
  assert_true(sl_allocator_nearest(&a, 0x3840)->first == 0x3000); /* a reserved range is no buffer */
  assert_true(sl_allocator_nearest(&a, 0x8000)->first == 0x4000);
  assert_true(sl_allocator_nearest(&a, 0x1000)->first == 0x3000);
  sl_allocator_free(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_are_aligned_and_first_fit),
      cmocka_unit_test(the_whole_heap_and_no_more_can_be_allocated),
      cmocka_unit_test(other_addresses_cannot_be_freed),
      cmocka_unit_test(reserved_ranges_may_overlap_but_not_buffers),
      cmocka_unit_test(random_sequences_never_overlap),
      cmocka_unit_test(buffers_are_placed_at_addresses),
      cmocka_unit_test(the_nearest_buffer_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
