/* Stores to decoded code: the words, the last store to each, and whether memory still has the instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/memory.h"

enum { BASE = 0x80000000 };

static int setup(void **state)
{
  static struct sl_memory memory;
  *state = &memory;
  if (sl_memory_init(&memory, 0, NULL) != SL_OK)
    return 1;
  for (uint32_t i = 0; i < 8; i++)
    sl_memory_store(&memory, BASE + 4 * i, 4, 0x11111111 * i);
  return sl_stored_code_extend(&memory.code, BASE, BASE + UINT64_C(32), NULL) != SL_OK;
}

static int teardown(void **state)
{
  sl_memory_free(*state);
  return 0;
}

static void only_stores_that_touch_code_are_recorded(void **state)
{
  const struct sl_memory *m = *state;
  assert_false(sl_stored_code_meets(&m->code, BASE - 8, BASE - 4));
  assert_true(sl_stored_code_meets(&m->code, BASE - 8, BASE));
  assert_true(sl_stored_code_meets(&m->code, BASE + 31, BASE + 100));
  assert_false(sl_stored_code_meets(&m->code, BASE + 32, BASE + 100));
  const struct sl_stored_code none = {0};
  assert_false(sl_stored_code_meets(&none, 0, UINT32_MAX));
}

static void last_store_to_a_word_is_known(void **state)
{
  struct sl_memory *m = *state;
  assert_false(m->code.any);
  assert_int_equal(sl_stored_code_writer(&m->code, BASE + 8), 0);
  sl_stored_code_note(&m->code, BASE + 8, 4, 0x100);
  sl_stored_code_note(&m->code, BASE + 11, 1, 0x200);
  assert_int_equal(sl_stored_code_writer(&m->code, BASE + 8), 0x200);
  assert_int_equal(sl_stored_code_writer(&m->code, BASE + 4), 0);
  assert_int_equal(sl_stored_code_writer(&m->code, BASE + 12), 0);
  sl_stored_code_note(&m->code, BASE + 14, 4, 0x300); /* across the end of a word */
  assert_int_equal(sl_stored_code_writer(&m->code, BASE + 12), 0x300);
  assert_int_equal(sl_stored_code_writer(&m->code, BASE + 16), 0x300);
}

static void stores_beside_code_are_ignored(void **state)
{
  struct sl_memory *m = *state;
  sl_stored_code_note(&m->code, BASE - 4, 4, 0x100);
  sl_stored_code_note(&m->code, BASE + 32, 4, 0x100);
  assert_false(m->code.any);
}

static void stores_count_only_if_memory_differs(void **state)
{
  struct sl_memory *m = *state;
  sl_stored_code_note(&m->code, BASE + 4, 4, 0x100);
  assert_int_equal(sl_memory_overwrote(m, BASE + 4, 0x11111111, 4), 0);
  sl_memory_store(m, BASE + 4, 1, 0x12);
  assert_int_equal(sl_memory_overwrote(m, BASE + 4, 0x11111111, 4), 0x100);
  sl_memory_store(m, BASE + 4, 1, 0x11);
  assert_int_equal(sl_memory_overwrote(m, BASE + 4, 0x11111111, 4), 0);
}

static void a_store_to_half_of_a_long_instruction_is_recorded(void **state)
{
  struct sl_memory *m = *state;
  const uint64_t word = UINT64_C(0x3333333322222222);
  sl_memory_store(m, BASE + 12, 4, 0);
  sl_stored_code_note(&m->code, BASE + 12, 4, 0x100);
  assert_int_equal(sl_memory_overwrote(m, BASE + 8, word, 8), 0x100);
}

static void memory_written_from_outside_has_no_known_writer(void **state)
{
  struct sl_memory *m = *state;
  sl_memory_write(m, BASE + 40, &(uint32_t){0}, 4);
  assert_false(m->code.any);
  sl_memory_write(m, BASE + 4, &(uint32_t){0}, 4);
  assert_int_equal(sl_memory_overwrote(m, BASE + 4, 0x11111111, 4), SL_WRITER_UNKNOWN);
  assert_int_equal(sl_memory_overwrote(m, BASE + 8, 0x22222222, 4), 0);
}

static void adding_code_keeps_recorded_stores(void **state)
{
  struct sl_memory *m = *state;
  sl_stored_code_note(&m->code, BASE + 4, 4, 0x100);
  sl_memory_store(m, BASE + 4, 4, 0);
  assert_int_equal(sl_stored_code_extend(&m->code, BASE + 0x1000, BASE + UINT64_C(0x1004), NULL), SL_OK);
  assert_int_equal(m->code.base, BASE);
  assert_int_equal(m->code.bytes, 0x1008);
  assert_int_not_equal(sl_memory_overwrote(m, BASE + 4, 0x11111111, 4), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(only_stores_that_touch_code_are_recorded),
      TEST(last_store_to_a_word_is_known),
      TEST(stores_beside_code_are_ignored),
      TEST(stores_count_only_if_memory_differs),
      TEST(a_store_to_half_of_a_long_instruction_is_recorded),
      TEST(memory_written_from_outside_has_no_known_writer),
      TEST(adding_code_keeps_recorded_stores),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
