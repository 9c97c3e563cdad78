/* Source files, read by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program/program.h"

static struct sl_source source_of(const char *text)
{
  char path[] = "/tmp/simtlab-source-XXXXXX";
  struct sl_source source;
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
  close(descriptor);
  assert_int_equal(sl_source_read(&source, path, NULL), SL_OK);
  unlink(path);
  return source;
}

static void lines_come_without_their_ends(void **state)
{
  (void)state;
  struct sl_source source = source_of("one\r\n\nthree\nfour");
  assert_int_equal(source.count, 4);
  assert_string_equal(sl_source_line(&source, 1), "one");
  assert_string_equal(sl_source_line(&source, 2), "");
  assert_string_equal(sl_source_line(&source, 3), "three");
  assert_string_equal(sl_source_line(&source, 4), "four");
  sl_source_free(&source);
}

static void lines_out_of_range_are_absent(void **state)
{
  (void)state;
  struct sl_source source = source_of("one\n");
  assert_int_equal(source.count, 1);
  assert_null(sl_source_line(&source, 0));
  assert_null(sl_source_line(&source, 2));
  sl_source_free(&source);
  source = source_of("");
  assert_null(sl_source_line(&source, 1));
  sl_source_free(&source);
}

static void missing_files_have_no_lines(void **state)
{
  (void)state;
  static const char *const paths[] = {"/nonexistent/file.c", "/dev/zero", "/", ""};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    struct sl_source source;
    assert_int_equal(sl_source_read(&source, paths[i], NULL), SL_OK);
    assert_int_equal(source.count, 0);
    assert_null(sl_source_line(&source, 1));
    sl_source_free(&source);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_come_without_their_ends),
      cmocka_unit_test(lines_out_of_range_are_absent),
      cmocka_unit_test(missing_files_have_no_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
