/* Memory for JIT code (func/jit/x86.h): pieces are executable with their contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "func/jit/x86.h"

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

/* The protection of that byte's page in /proc/self/maps; empty without that file. */
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

static void sealed_pieces_are_executable(void **state)
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

static void the_next_piece_does_not_change_the_previous(void **state)
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

static void memory_is_never_writable_and_executable(void **state)
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

static void all_memory_can_be_rewritten(void **state)
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
      cmocka_unit_test(sealed_pieces_are_executable),
      cmocka_unit_test(the_next_piece_does_not_change_the_previous),
      cmocka_unit_test(memory_is_never_writable_and_executable),
      cmocka_unit_test(all_memory_can_be_rewritten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
