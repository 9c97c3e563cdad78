/* Items in flight in an archive: restored state is valid if each item is taken as often as it is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/schema.h"

enum { KIND, OTHER_KIND, OWNER = 3 };

static struct sl_archive restoring(void)
{
  static const uint8_t bytes[1];
  return (struct sl_archive){.from = bytes, .size = sizeof bytes};
}

static void items_balance_in_any_order(void **state)
{
  (void)state;
  struct sl_archive t = restoring();
  sl_archive_take(&t, KIND, OWNER, 7, 2);
  sl_archive_give(&t, OTHER_KIND, OWNER, 0, 1);
  sl_archive_give(&t, KIND, OWNER, 7, 1);
  sl_archive_give_set(&t, KIND, OWNER, UINT64_C(1) << 7);
  sl_archive_take(&t, OTHER_KIND, OWNER, 0, 1);
  assert_true(sl_archive_balance(&t));
}

static void an_item_that_nobody_or_another_takes_is_refused(void **state)
{
  (void)state;
  struct sl_archive once = restoring(), kind = restoring(), owner = restoring(), item = restoring();
  sl_archive_give(&once, KIND, OWNER, 7, 2);
  sl_archive_take(&once, KIND, OWNER, 7, 1);
  sl_archive_give(&kind, KIND, OWNER, 7, 1);
  sl_archive_take(&kind, OTHER_KIND, OWNER, 7, 1);
  sl_archive_give(&owner, KIND, OWNER, 7, 1);
  sl_archive_take(&owner, KIND, OWNER + 1, 7, 1);
  sl_archive_give(&item, KIND, OWNER, 7, 1);
  sl_archive_take(&item, KIND, OWNER, 8, 1);
  assert_false(sl_archive_balance(&once));
  assert_false(sl_archive_balance(&kind));
  assert_false(sl_archive_balance(&owner));
  assert_false(sl_archive_balance(&item));
}

/* Numbers of a list of free records and of those in use. */
static void each_record_is_in_one_place(void **state)
{
  (void)state;
  for (unsigned twice = 0; twice < 2; twice++) {
    struct sl_archive t = restoring();
    sl_archive_give_set(&t, KIND, OWNER, 0xb);
    sl_archive_give(&t, KIND, OWNER, twice ? 3 : 2, 1);
    sl_archive_take_all(&t, KIND, OWNER, 4);
    assert_true(sl_archive_balance(&t) == !twice);
  }
}

/* Numbers of items that a struct awaits, by its row. */
struct awaited {
  uint8_t waiting[2];
};

static SL_SCHEMA(awaited_schema, struct awaited, NULL, SL_TAKES(KIND, waiting));

static void a_row_takes_as_many_items_as_its_numbers_say(void **state)
{
  (void)state;
  static const uint8_t bytes[] = {1, 2};
  for (unsigned missing = 0; missing < 2; missing++) {
    struct sl_archive t = {.from = bytes, .size = sizeof bytes};
    struct awaited a;
    t.limits.value[SL_LIMIT_OWNER] = OWNER;
    sl_archive_structs(&t, "awaited", awaited_schema, &a, 1);
    assert_false(sl_archive_balance(&(struct sl_archive){.from = bytes, .balance = t.balance}));
    sl_archive_give(&t, KIND, OWNER, 0, 1);
    sl_archive_give(&t, KIND, OWNER, 1, 2 - missing);
    assert_true(sl_archive_balance(&t) == !missing);
  }
}

/* A block may not be longer than the bytes that are left. */
static void a_block_is_allocated_within_the_source(void **state)
{
  (void)state;
  static const uint8_t bytes[] = {5, 6, 7};
  struct sl_archive whole = {.from = bytes, .size = sizeof bytes}, beyond = whole;
  void *block = NULL, *none = NULL;
  assert_true(sl_archive_block(&whole, &block, sizeof bytes));
  assert_memory_equal(block, bytes, sizeof bytes);
  assert_int_equal(((const uint8_t *)block)[sizeof bytes], 0);
  assert_false(sl_archive_block(&beyond, &none, sizeof bytes + 1));
  assert_null(none);
  assert_false(beyond.no_memory);
  free(block);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_balance_in_any_order),
      cmocka_unit_test(an_item_that_nobody_or_another_takes_is_refused),
      cmocka_unit_test(each_record_is_in_one_place),
      cmocka_unit_test(a_row_takes_as_many_items_as_its_numbers_say),
      cmocka_unit_test(a_block_is_allocated_within_the_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
