/* Checkpoint files return the saved contents, or an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/checkpoint.h"

enum { SIZE = 5000, MOST = 1 << 20 };

static const char path[] = "test_checkpoint_file.bin";

static void write_one(struct sl_checkpoint_header header, uint8_t first)
{
  struct sl_checkpoint c = {.header = header};
  struct sl_error err;
  uint8_t bytes[SIZE];
  for (unsigned i = 0; i < SIZE; i++)
    bytes[i] = (uint8_t)(first + i * i / 7);
  sl_checkpoint_put(&c, bytes, 1);
  sl_checkpoint_put(&c, bytes + 1, SIZE - 1);
  assert_int_equal(sl_checkpoint_write(&c, path, &err), SL_OK);
  sl_checkpoint_free(&c);
}

static enum sl_status read_one(struct sl_checkpoint *c, struct sl_error *err)
{
  const enum sl_status code = sl_checkpoint_read(c, path, MOST, err);
  sl_checkpoint_free(c);
  return code;
}

static size_t load(uint8_t **bytes)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  *bytes = malloc(MOST);
  assert_non_null(*bytes);
  const size_t size = fread(*bytes, 1, MOST, file);
  fclose(file);
  return size;
}

static void store(const uint8_t *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void values_are_restored_as_saved(void **state)
{
  (void)state;
  struct sl_checkpoint c;
  struct sl_error err;
  uint8_t bytes[SIZE];
  write_one((struct sl_checkpoint_header){.launches = 3, .pages = 17}, 9);
  assert_int_equal(sl_checkpoint_read(&c, path, MOST, &err), SL_OK);
  assert_int_equal(c.header.launches, 3);
  assert_int_equal(c.header.pages, 17);
  assert_int_equal(c.header.size, SIZE);
  assert_true(sl_checkpoint_take(&c, bytes, SIZE - 1));
  assert_int_equal(bytes[0], 9);
  assert_int_equal(bytes[100], (uint8_t)(9 + 100 * 100 / 7));
  assert_false(sl_checkpoint_take(&c, bytes, 2)); /* one is left */
  assert_non_null(sl_checkpoint_next(&c, 1));
  assert_null(sl_checkpoint_next(&c, 1));
  sl_checkpoint_free(&c);
}

static void the_checksum_covers_every_bit(void **state)
{
  (void)state;
  struct sl_checkpoint c;
  struct sl_error err;
  uint8_t *bytes;
  write_one((struct sl_checkpoint_header){0}, 1);
  const size_t size = load(&bytes);
  for (size_t bit = 0; bit < 8 * size; bit += 1 + bit / 1500) {
    bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    store(bytes, size);
    assert_int_equal(read_one(&c, &err), SL_USAGE);
    bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  store(bytes, size);
  assert_int_equal(read_one(&c, &err), SL_OK);
  free(bytes);
}

static void truncated_and_extended_files_are_detected(void **state)
{
  (void)state;
  struct sl_checkpoint c;
  struct sl_error err;
  uint8_t *bytes;
  write_one((struct sl_checkpoint_header){0}, 1);
  const size_t size = load(&bytes);
  for (size_t cut = 0; cut < size; cut += 1 + cut / 200) {
    store(bytes, cut);
    assert_int_equal(read_one(&c, &err), SL_USAGE);
  }
  assert_non_null(strstr(err.text, "it is truncated"));
  store(bytes, size + 1);
  assert_int_equal(read_one(&c, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "it is longer than its header says"));
  free(bytes);
}

/* Zeros compress well; the reader takes no more memory than the limit. */
static void oversized_fields_are_refused(void **state)
{
  (void)state;
  static uint8_t zeros[MOST];
  struct sl_checkpoint c = {0};
  struct sl_error err;
  for (unsigned i = 0; i < 64; i++)
    sl_checkpoint_put(&c, zeros, sizeof zeros);
  assert_int_equal(sl_checkpoint_write(&c, path, &err), SL_OK);
  sl_checkpoint_free(&c);
  assert_int_equal(read_one(&c, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "holds more than 1048576 bytes"));
}

static void other_files_are_refused(void **state)
{
  (void)state;
  struct sl_checkpoint c;
  struct sl_error err;
  store((const uint8_t *)"\x7f"
                         "ELF and so on",
        14);
  assert_int_equal(read_one(&c, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "it is not a checkpoint of simtlab"));
  unlink(path);
  assert_int_equal(read_one(&c, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "cannot be opened"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_restored_as_saved),
      cmocka_unit_test(the_checksum_covers_every_bit),
      cmocka_unit_test(truncated_and_extended_files_are_detected),
      cmocka_unit_test(oversized_fields_are_refused),
      cmocka_unit_test(other_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
