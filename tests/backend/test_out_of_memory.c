/* Failed allocations: whichever fails, compilation ends with an error and frees everything. The linker replaces the
 * functions below in the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/isa64/compile_mir.h"
#include "golden.h"

static long left; /* allocations that succeed; negative: all */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

static bool fails(void)
{
  if (left > 0)
    left--;
  return left == 0;
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
  return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
  return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
  return fails() ? NULL : __real_strndup(text, length);
}

static enum sl_status assemble_nop(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                                   size_t *count, struct sl_error *err)
{
  (void)context;
  (void)text;
  (void)object;
  *code = calloc(1, sizeof **code);
  if (*code == NULL)
    return sl_no_memory(err, sizeof **code);
  (*code)->insn.op = SL_OP_FENCE_I;
  *count = 1;
  return SL_OK;
}

/* Compiles with the n-th allocation failing, for each n up to the number of allocations. */
static void every_allocation_may_fail(const char *name, unsigned registers, long step)
{
  size_t size;
  left = -1;
  char *text = golden_text(name, &size);
  struct sl_backend_options options = sl_backend_defaults();
  options.registers = registers;
  options.assembler.assemble = assemble_nop;
  enum sl_status status = SL_INTERNAL;
  for (long n = 1; status != SL_OK; n += step) {
    struct sl_object64 object = {0};
    struct sl_backend_notes notes = {0};
    struct sl_error err = {0};
    left = n;
    status = sl_compile_mir(name, text, size, &options, &object, &notes, &err);
    const bool failed = left == 0;
    left = -1;
    assert_int_equal(status, failed ? SL_INTERNAL : SL_OK);
    if (failed) {
      assert_non_null(strstr(err.text, "memory"));
      assert_int_equal(object.section_count, 0);
    }
    sl_backend_notes_free(&notes);
    sl_object64_free(&object);
  }
  free(text);
}

static void compiling_with_spills_survives_failed_allocations(void **state)
{
  (void)state;
  every_allocation_may_fail("gemm", 24, 1);
}

static void compiling_many_functions_survives_failed_allocations(void **state)
{
  (void)state;
  every_allocation_may_fail("mixed", 32, 37);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiling_with_spills_survives_failed_allocations),
      cmocka_unit_test(compiling_many_functions_survives_failed_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
