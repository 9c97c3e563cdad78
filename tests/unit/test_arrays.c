/* Arrays whose host pages are populated together: they are zero, and populating changes no contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arrays.h"

enum { MANY = 1 << 20, LINE = 64 };

static unsigned sum(const uint8_t *bytes, size_t count)
{
  unsigned total = 0;
  for (size_t i = 0; i < count; i++)
    total += bytes[i];
  return total;
}

/* A freed array of other contents makes it likely that the allocator returns used memory. */
static void dirty(size_t bytes)
{
  uint8_t *before = malloc(bytes);
  assert_non_null(before);
  for (size_t i = 0; i < bytes; i++)
    before[i] = (uint8_t)(i | 1);
  free(before);
}

static void arrays_are_zero_in_lines_of_their_own(void **state)
{
  (void)state;
  for (size_t count = 1; count <= MANY; count *= 32) {
    dirty(count);
    uint8_t *array = sl_lines_of(count, 1);
    assert_non_null(array);
    assert_int_equal((uintptr_t)array % LINE, 0);
    assert_int_equal(sum(array, count), 0);
    free(array);
  }
}

static void arrays_above_the_limit_are_zero(void **state)
{
  (void)state;
  const size_t sizes[] = {SL_MOST_POPULATED - 1, SL_MOST_POPULATED, SL_MOST_POPULATED + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    dirty(sizes[i]);
    uint8_t *array = sl_array_of(sizes[i], 1);
    assert_non_null(array);
    assert_int_equal(sum(array, sizes[i]), 0);
    free(array);
  }
}

static void sparse_arrays_are_zero_and_writable(void **state)
{
  (void)state;
  uint8_t *array = sl_sparse(MANY, 8);
  assert_non_null(array);
  assert_int_equal(sum(array, MANY), 0);
  array[8 * MANY - 1] = 1;
  sl_sparse_free(array, MANY, 8);
  sl_sparse_free(NULL, MANY, 8);
}

static void sizes_that_overflow_are_refused(void **state)
{
  (void)state;
  assert_null(sl_lines_of(SIZE_MAX / 4, 8));
  assert_null(sl_sparse(SIZE_MAX / 4, 8));
}

static void populating_keeps_contents(void **state)
{
  (void)state;
  uint8_t *bytes = malloc(MANY);
  assert_non_null(bytes);
  for (size_t i = 0; i < MANY; i++)
    bytes[i] = (uint8_t)(i % 251);
  sl_populate(bytes + 100, MANY - 200);
  sl_populate_beginning(bytes, MANY);
  for (size_t i = 0; i < MANY; i++)
    assert_int_equal(bytes[i], i % 251);
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_zero_in_lines_of_their_own),
      cmocka_unit_test(arrays_above_the_limit_are_zero),
      cmocka_unit_test(sparse_arrays_are_zero_and_writable),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(populating_keeps_contents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
