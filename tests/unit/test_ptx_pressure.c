/* ptx/ptx_pressure: the estimate of registers per thread. Each program has twelve 32-bit values and a 64-bit address
 * live at once, 14 registers, plus the test's additions before and after the sum of the values. The assembler's own
 * three registers are added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ptx/ptx.h"

enum { VALUES = 12, OWN = 3, PLAIN = VALUES + 2 + OWN, ROOM = 16384 };

static const char head[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
                           ".shared .align 4 .b8 s[512];\n.reg .b32 %r<24>;\n.reg .b64 %d<16>;\n.reg .f32 %f<64>;\n"
                           "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
                           "add.s64 %d3, %d1, %d2;\n";

static unsigned registers_of(const char *text)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m = NULL;
  if (sl_ptx_parse(&m, text, strlen(text), "pressure", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  const unsigned registers = sl_ptx_entry(m, "k")->regs_per_thread;
  sl_ptx_free(m);
  return registers;
}

/* Loads all values, then sums them; or alternates loads and additions. */
static unsigned registers_with(const char *between, const char *behind, unsigned values, bool at_once)
{
  static char text[ROOM];
  size_t n = (size_t)snprintf(text, ROOM, "%smov.f32 %%f0, 0f00000000;\n", head);
  for (unsigned i = 1; i <= values; i++) {
    n += (size_t)snprintf(text + n, ROOM - n, "ld.global.f32 %%f%u, [%%d3+%u];\n", i, 4 * i);
    if (!at_once)
      n += (size_t)snprintf(text + n, ROOM - n, "add.f32 %%f0, %%f0, %%f%u;\n", i);
  }
  n += (size_t)snprintf(text + n, ROOM - n, "%s", between);
  for (unsigned i = 1; i < values && at_once; i++)
    n += (size_t)snprintf(text + n, ROOM - n, "add.f32 %%f%u, %%f%u, %%f%u;\n", i + 1, i + 1, i);
  snprintf(text + n, ROOM - n, "st.global.f32 [%%d3], %%f%u;\n%sret;\n}\n", at_once ? values : 0, behind);
  return registers_of(text);
}

static unsigned with(const char *between, const char *behind)
{
  return registers_with(between, behind, VALUES, true);
}

static void values_that_are_live_at_once_count(void **state)
{
  (void)state;
  assert_int_equal(with("", ""), PLAIN);
  assert_int_equal(with("mov.u32 %r5, %tid.y;\n", "st.global.u32 [%d3], %r5;\n"), PLAIN + 1);
}

static void dead_values_do_not_count(void **state)
{
  (void)state;
  assert_int_equal(
      with("add.u32 %r5, %r1, 1;\nmul.lo.u32 %r6, %r5, %r5;\nmov.u32 %r7, %tid.y;\nadd.u32 %r7, %r7, %r7;\n",
           "xor.b32 %r8, %r6, %r7;\n"),
      PLAIN);
}

static void constant_bank_values_do_not_count(void **state)
{
  (void)state;
  assert_int_equal(with("ld.param.u32 %r5, [n];\n", "st.global.u32 [%d3], %r5;\n"), PLAIN);
  assert_int_equal(with("mov.u32 %r5, %ntid.x;\n", "st.global.u32 [%d3], %r5;\n"), PLAIN);
  assert_int_equal(with("mov.u32 %r5, 7;\n", "st.global.u32 [%d3], %r5;\n"), PLAIN);
}

static void addresses_of_shared_memory_have_one_register_and_global_ones_two(void **state)
{
  (void)state;
#define INDEX "mov.u32 %r5, %tid.y;\nmul.wide.u32 %d5, %r5, 4;\n"
  assert_int_equal(with(INDEX "mov.u64 %d6, s;\nadd.s64 %d7, %d6, %d5;\n", "st.shared.u32 [%d7], 1;\n"), PLAIN + 1);
  assert_int_equal(with(INDEX "add.s64 %d7, %d1, %d5;\n", "st.global.u32 [%d7], 1;\n"), PLAIN + 2);
}

static void divisions_need_extra_registers(void **state)
{
  (void)state;
  assert_true(with("div.rn.f32 %f1, %f1, %f2;\n", "") > PLAIN);
}

static void loads_move_up_while_threads_fill_a_multiprocessor(void **state)
{
  (void)state;
  /* The last addition has the sum in a register, and the value that it adds. */
  assert_int_equal(registers_with("", "", VALUES, false), PLAIN + 1);
  assert_int_equal(registers_with("", "", 60, false), 32);
}

static void values_alone_can_exceed_that(void **state)
{
  (void)state;
  assert_int_equal(registers_with("", "", 60, true), 60 + 2 + OWN);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_that_are_live_at_once_count),
      cmocka_unit_test(dead_values_do_not_count),
      cmocka_unit_test(constant_bank_values_do_not_count),
      cmocka_unit_test(addresses_of_shared_memory_have_one_register_and_global_ones_two),
      cmocka_unit_test(divisions_need_extra_registers),
      cmocka_unit_test(loads_move_up_while_threads_fill_a_multiprocessor),
      cmocka_unit_test(values_alone_can_exceed_that),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
