/* Random kernels with loops, branches and exits from loops: each linear instruction computes the value of its vector,
 * at every thread, block and iteration; the operand that replaces another has the same polynomial. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_check.h"
#include "compiler/linear/linear_code.h"
#include "linear_plans.h"
#include "linear_programs.h"
#include "ptx/ptx.h"

enum { PROGRAMS = 300 };

static void plan_of(const struct sl_ptx_module *module, const char *text)
{
  struct sl_error err;
  struct sl_linear_code code;
  struct sl_linear_analysis a;
  assert_int_equal(sl_linear_from_ptx(&code, module, sl_ptx_entry(module, "k"), &err), SL_OK);
  assert_int_equal(sl_linear_analyse(&a, &code, NULL, &err), SL_OK);
  plan_is_right(&a, text);
  sl_linear_analysis_free(&a);
  sl_linear_code_free(&code);
}

static void run(const char *text, size_t length, struct sl_linear_tally *sum)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  struct sl_linear_check check = {.subjects = NULL};
  const struct sl_ptx_engine engine = sl_linear_check_engine(&check);
  uint8_t params[24] = {0x00, 0x10, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff}; /* 2^32 + 4096, 7, -3, 0 */
  if (sl_ptx_parse(&m, text, length, "random", NULL, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  plan_of(m, text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &err), SL_OK);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = sl_ptx_entry(m, "k"),
                                       .grid = {2, 2, 1},
                                       .block = {9, 2, 3}, /* the second warp has 22 threads */
                                       .params = params,
                                       .memory = &memory};
  if (engine.run(engine.context, &launch, &counts, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  if (check.tally.wrong > 0)
    fail_msg("%s\n%s", check.tally.first, text);
  assert_int_equal(check.tally.refused, 0);
  sum->compared += check.tally.compared;
  sum->iterated += check.tally.iterated;
  sl_linear_check_free(&check);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
}

static void values_equal_those_of_their_vectors(void **state)
{
  (void)state;
  static struct writer w;
  struct sl_linear_tally sum = {.compared = 0};
  const char *programs = getenv("PROGRAMS");
  const unsigned count = programs != NULL ? (unsigned)strtoul(programs, NULL, 10) : PROGRAMS;
  for (unsigned seed = 1; seed <= count; seed++) {
    w.x = seed * UINT64_C(0x9e3779b97f4a7c15);
    write_kernel(&w);
    run(w.text, w.length, &sum);
  }
  /* The test must cover enough kernels. */
  assert_true(sum.compared > 1000u * count);
  assert_true(sum.iterated > 100u * count);
  print_message("%u kernels: %llu values compared, %llu of them in loops\n", count, (unsigned long long)sum.compared,
                (unsigned long long)sum.iterated);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_equal_those_of_their_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
