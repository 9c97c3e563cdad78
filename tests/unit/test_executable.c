/* Memory for machine code (base/executable.h): pieces of it, executed as they were written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/executable.h"

typedef int function(void);

enum { BYTES = 1 << 16, LENGTH = 6 };

/* mov eax, value; ret */
static void write_function(struct sl_executable *e, size_t at, uint8_t value)
{
  memcpy(e->code + at, (const uint8_t[]){0xb8, value, 0, 0, 0, 0xc3}, LENGTH);
}

static int call(const struct sl_executable *e, size_t at)
{
  const uint8_t *code = e->code + at;
  function *f;
  memcpy(&f, &code, sizeof f);
  return f();
}

static bool opened(struct sl_executable *e)
{
  if (sl_executable_open(e, BYTES))
    return true;
  print_message("skipped: not on this host\n");
  skip();
  return false;
}

/* What /proc/self/maps says of the page with that byte; empty where there is no such file. */
static void permissions(const void *byte, char found[5])
{
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long long first, behind;
  char line[512], read[5];
  found[0] = '\0';
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    if (sscanf(line, "%llx-%llx %4s", &first, &behind, read) == 3 && (uintptr_t)byte >= first &&
        (uintptr_t)byte < behind)
      memcpy(found, read, 5);
  if (maps != NULL)
    fclose(maps);
}

static void a_piece_is_executed_after_it_has_been_sealed(void **state)
{
  (void)state;
  struct sl_executable e;
  if (!opened(&e))
    return;
  write_function(&e, 0, 7);
  assert_true(sl_executable_seal(&e, LENGTH));
  assert_int_equal(call(&e, 0), 7);
  sl_executable_close(&e);
}

static void the_next_piece_is_behind_it_and_leaves_it_alone(void **state)
{
  (void)state;
  struct sl_executable e;
  if (!opened(&e))
    return;
  write_function(&e, 0, 7);
  assert_true(sl_executable_seal(&e, LENGTH));
  const size_t second = e.sealed;
  assert_true(second >= LENGTH && second < BYTES);
  write_function(&e, second, 8);
  assert_true(sl_executable_seal(&e, second + LENGTH));
  assert_int_equal(call(&e, 0), 7);
  assert_int_equal(call(&e, second), 8);
  sl_executable_close(&e);
}

static void nothing_is_writable_and_executable_at_once(void **state)
{
  (void)state;
  struct sl_executable e;
  if (!opened(&e))
    return;
  char before[5], sealed[5], rest[5];
  permissions(e.code, before);
  write_function(&e, 0, 7);
  assert_true(sl_executable_seal(&e, LENGTH));
  permissions(e.code, sealed);
  permissions(e.code + e.sealed, rest);
  if (before[0] == '\0')
    skip();
  assert_string_equal(before, "rw-p");
  assert_string_equal(sealed, "r-xp");
  assert_string_equal(rest, "rw-p");
  sl_executable_close(&e);
}

static void all_of_it_can_be_written_anew(void **state)
{
  (void)state;
  struct sl_executable e;
  if (!opened(&e))
    return;
  write_function(&e, 0, 7);
  assert_true(sl_executable_seal(&e, LENGTH));
  assert_true(sl_executable_reset(&e));
  assert_int_equal(e.sealed, 0);
  write_function(&e, 0, 9);
  assert_true(sl_executable_seal(&e, LENGTH));
  assert_int_equal(call(&e, 0), 9);
  sl_executable_close(&e);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_piece_is_executed_after_it_has_been_sealed),
      cmocka_unit_test(the_next_piece_is_behind_it_and_leaves_it_alone),
      cmocka_unit_test(nothing_is_writable_and_executable_at_once),
      cmocka_unit_test(all_of_it_can_be_written_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
