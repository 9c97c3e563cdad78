/* Start and end of kernels: the three rules, on one core and on several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "func/kernel_tracker.h"

enum { BEGIN = 0x100, END = 0x200, CALLER = 0x300 };

static struct sl_kernel_step at(uint32_t pc, enum sl_kind kind)
{
  return (struct sl_kernel_step){.kind = kind, .pc = pc, .next = pc + 4};
}

static struct sl_kernel_step jump(unsigned warp, uint32_t pc, uint32_t to, uint32_t link)
{
  return (struct sl_kernel_step){.kind = SL_KIND_JALR, .warp = warp, .pc = pc, .next = to, .link = link};
}

static bool under_way(const struct sl_kernel_tracker *watch, const struct sl_kernel_span *a,
                      const struct sl_kernel_span *b)
{
  const struct sl_kernel_span *const span[] = {a, b};
  return sl_kernel_under_way(watch, span, 2);
}

/* A core that ends its part before another starts does not end the launch. */
static void a_launch_ends_when_every_core_has_ended(void **state)
{
  (void)state;
  const struct sl_kernel_tracker watch = {SL_KERNEL_PLACES, BEGIN, END};
  const struct sl_kernel_step begin = at(BEGIN, SL_KIND_CSR), end = at(END, SL_KIND_CSR),
                              else_where = at(0, SL_KIND_CSR);
  struct sl_kernel_span a = {0}, b = {0};
  assert_false(under_way(&watch, &a, &b));
  assert_false(sl_kernel_see(&watch, &a, &else_where));
  assert_true(sl_kernel_see(&watch, &a, &begin));
  assert_true(under_way(&watch, &a, &b));
  assert_true(sl_kernel_see(&watch, &a, &end));
  assert_true(under_way(&watch, &a, &b));
  assert_true(sl_kernel_see(&watch, &b, &begin));
  assert_true(under_way(&watch, &a, &b));
  assert_true(sl_kernel_see(&watch, &b, &end));
  assert_false(under_way(&watch, &a, &b));
  assert_int_equal(sl_kernel_kinds(&watch), UINT64_C(1) << SL_KIND_CSR);
}

/* The kernel lasts until the last warp of all cores has returned; a recursive function is one call. */
static void a_function_ends_when_the_last_warp_returns(void **state)
{
  (void)state;
  const struct sl_kernel_tracker watch = {SL_KERNEL_FUNCTION, BEGIN, 0};
  struct sl_kernel_span a = {0}, b = {0};
  struct sl_kernel_step step = jump(0, CALLER, BEGIN, CALLER + 4);
  assert_true(sl_kernel_see(&watch, &a, &step));
  assert_int_equal(a.entry, BEGIN);
  step = jump(5, CALLER, BEGIN, CALLER + 4);
  assert_true(sl_kernel_see(&watch, &b, &step));
  step = jump(0, BEGIN + 8, BEGIN, BEGIN + 12);
  assert_false(sl_kernel_see(&watch, &a, &step)); /* it calls itself, */
  step = jump(0, BEGIN + 40, BEGIN + 12, BEGIN + 12);
  assert_false(sl_kernel_see(&watch, &a, &step)); /* and comes back from that */
  step = jump(0, BEGIN + 40, CALLER + 4, BEGIN + 12);
  assert_true(sl_kernel_see(&watch, &a, &step));
  assert_true(under_way(&watch, &a, &b));
  step = at(BEGIN + 4, SL_KIND_WARP); /* the other ends instead of returning */
  step.warp = 5;
  step.ends = true;
  assert_true(sl_kernel_see(&watch, &b, &step));
  assert_false(under_way(&watch, &a, &b));
}

static void spawned_warps_are_a_kernel_until_they_end(void **state)
{
  (void)state;
  const struct sl_kernel_tracker watch = {SL_KERNEL_SPAWNS, 0, 0};
  struct sl_kernel_span a = {0}, b = {0};
  struct sl_kernel_step spawn = at(CALLER, SL_KIND_WARP), end = at(BEGIN, SL_KIND_WARP);
  spawn.spawned = 1;
  assert_false(sl_kernel_see(&watch, &a, &spawn)); /* it is still active: it waits for others */
  spawn.spawned = 3;
  spawn.target = BEGIN;
  assert_true(sl_kernel_see(&watch, &a, &spawn));
  assert_int_equal(a.entry, BEGIN);
  end.ends = true;
  for (unsigned warp = 2; warp > 0; warp--) {
    assert_true(under_way(&watch, &a, &b));
    end.warp = warp;
    assert_true(sl_kernel_see(&watch, &a, &end));
  }
  assert_false(under_way(&watch, &a, &b));
  end.warp = 0;
  assert_false(sl_kernel_see(&watch, &a, &end)); /* the spawning warp is not one of them */
}

static void unobserved_functions_are_skipped(void **state)
{
  (void)state;
  const struct sl_kernel_tracker watch = {SL_KERNEL_UNWATCHED, 0, 0};
  struct sl_kernel_span a = {0};
  const struct sl_kernel_step step = at(0, SL_KIND_CSR);
  assert_int_equal(sl_kernel_kinds(&watch), 0);
  assert_false(sl_kernel_see(&watch, &a, &step));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_ends_when_every_core_has_ended),
      cmocka_unit_test(a_function_ends_when_the_last_warp_returns),
      cmocka_unit_test(spawned_warps_are_a_kernel_until_they_end),
      cmocka_unit_test(unobserved_functions_are_skipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
