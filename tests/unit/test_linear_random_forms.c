/* Random kernels and their variants with linear registers leave the same memory: one block, blocks of three dimensions
 * with a partial last warp, grids of three dimensions. The environment variable PROGRAMS sets the number of kernels, by
 * default 300. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linear_forms.h"
#include "linear_programs.h"

enum { PROGRAMS = 300, BRIEF = 20 };

static unsigned programs(void)
{
  const char *wanted = getenv("PROGRAMS"), *brief = getenv("SIMTLAB_BRIEF");
  return wanted != NULL ? (unsigned)strtoul(wanted, NULL, 10) : brief != NULL && brief[0] ? BRIEF : PROGRAMS;
}

static void both_variants_leave_the_same_memory(void **state)
{
  (void)state;
  static const struct {
    uint32_t grid[3], block[3];
  } launches[] = {{{1, 1, 1}, {40, 1, 1}}, {{3, 2, 1}, {32, 1, 1}}, {{2, 3, 2}, {5, 3, 3}}};
  static const uint8_t params[24] = {0x00, 0x10, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff};
  static struct writer w = {.stores = true};
  struct forms forms;
  const unsigned count = programs();
  forms_open(&forms, 2);
  for (unsigned seed = 1; seed <= count; seed++) {
    struct forms_kernel k = {.text = w.text, .params = params, .out_at = 16, .out_bytes = THREAD_BYTES};
    w.x = seed * UINT64_C(0x9e3779b97f4a7c15);
    write_kernel(&w);
    memcpy(k.grid, launches[seed % 3].grid, sizeof k.grid);
    memcpy(k.block, launches[seed % 3].block, sizeof k.block);
    for (unsigned i = 0; i < 3; i++)
      k.out_bytes *= (size_t)k.grid[i] * k.block[i];
    forms_agree(&forms, &k);
  }
  forms_close(&forms);
  print_message("%u kernels: %u compared, %u have no other form\n", count, forms.compared, forms.refused);
  assert_true(10 * forms.compared >= 9 * count); /* the test must cover enough kernels */
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_variants_leave_the_same_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
