/* Storage of register files: the numbers of the paper's Figure 8, and other shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "observe/figures.h"

static uint64_t compressed(unsigned slots)
{
  const struct sl_register_storage file = {32, 64, 32, true, slots, true};
  return sl_storage_bits(&file);
}

static void figure_8_of_the_paper(void **state)
{
  (void)state;
  const struct sl_register_storage plain = {32, 64, 32, false, 0, true}, rv32e = {32, 64, 16, false, 0, true};
  assert_int_equal(sl_storage_bits(&plain), 2097152);
  assert_int_equal(compressed(1024), 1202176);
  assert_int_equal(compressed(512), 672256);
  assert_int_equal(compressed(256), 407552);
  assert_int_equal(sl_storage_bits(&rv32e), 1048576);
}

static void other_shapes(void **state)
{
  (void)state;
  const struct sl_register_storage small = {16, 8, 32, true, 100, true}, uniform = {16, 8, 32, true, 100, false};
  /* Two copies of 256 entries of 35 bits, 100 vectors of 512 bits, 100 slot numbers of 7 bits. */
  assert_int_equal(sl_storage_bits(&small), 2 * 256 * 35 + 100 * 512 + 100 * 7);
  assert_int_equal(sl_storage_bits(&uniform), 2 * 256 * 33 + 100 * 512 + 100 * 7);
  const struct sl_register_storage one = {1, 1, 32, true, 1, true};
  assert_int_equal(sl_storage_bits(&one), 2 * 32 * 35 + 32);
}

static void no_number_of_slots_is_one_per_register(void **state)
{
  (void)state;
  assert_int_equal(compressed(0), compressed(2048));
  assert_int_equal(compressed(0), 2 * 2048 * 35 + 2048 * 1024 + 2048 * 11);
}

static void configurations_state_their_register_file(void **state)
{
  (void)state;
  struct sl_config config;
  struct sl_register_storage file;
  struct sl_error err;
  assert_int_equal(sl_config_open(&config, "simtight-rfc", &err), SL_OK);
  assert_true(sl_storage_of(&config, &file));
  assert_int_equal(sl_storage_bits(&file), 672256);
  assert_int_equal(sl_config_set(&config, "registers=plain", &err), SL_OK);
  assert_true(sl_storage_of(&config, &file));
  assert_int_equal(sl_storage_bits(&file), 2097152);

  const struct sl_keys none = {NULL, 0};
  const struct sl_machine other = {.keys = &none};
  const struct sl_config without = {.machine = &other};
  assert_false(sl_storage_of(&without, &file));
  sl_config_close(&config);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_8_of_the_paper),
      cmocka_unit_test(other_shapes),
      cmocka_unit_test(no_number_of_slots_is_one_per_register),
      cmocka_unit_test(configurations_state_their_register_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
