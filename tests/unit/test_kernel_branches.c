/* Check of the final code of OpenCL kernels: a divergent branch without its annotation is found, with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cc/lanes/lane_branches.h"
#include "cross.h"

#define PUSH ".word 0x00050009\n"
#define POP ".word 0x00051009\n"
#define SPLIT ".insn r 0x0B, 2, 0, t0, a1, x0\n"
#define JOIN ".insn r 0x0B, 3, 0, x0, t0, x0\n"
#define LANE "csrr a1, 0xf14\nandi a1, a1, 1\n"
#define THREAD "csrr a1, 0xcc0\nandi a1, a1, 1\n"

/* Whether the kernel `condition, before, branch over an instruction, after` is right, if it had so many branches and
 * annotations before code generation. */
static bool is_right(const char *condition, const char *before, const char *after, unsigned branches,
                     unsigned annotations)
{
  struct cross c;
  struct sl_log log = {NULL, 0, 0};
  char text[1000], path[2 * CROSS_PATH];
  const struct sl_kernel_branches kernel = {"k", branches, annotations};
  snprintf(text, sizeof text,
           ".text\n.globl k\n.type k, @function\nk:\n%s%sbeqz a1, 1f\naddi a2, a2, 1\n1:\n%ssw a2, 0(a0)\nret\n.size "
           "k, . - k\n",
           condition, before, after);
  cross_open(&c);
  cross_write(&c, "a.S", text);
  cross_run(&c,
            CROSS_GCC " -march=rv32ima_zicsr -mabi=ilp32 -g -nostdlib -Wl,-Ttext=0x80000000,-ek a.S -o a.elf 2>log");
  const bool right = sl_check_kernel_branches(cross_path(&c, "a.elf", path), &kernel, 1, &log);
  cross_close(&c);
  assert_int_equal(right, log.text == NULL);
  if (!right) {
    assert_non_null(strstr(log.text, "error: kernel k, "));
    assert_non_null(strstr(log.text, "a.S:"));
    assert_non_null(strstr(log.text, "lanes may diverge at this branch"));
  }
  sl_log_free(&log);
  return right;
}

static void test_annotated_branches_are_right(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  assert_true(is_right(LANE, PUSH, POP, 1, 2));
  assert_true(is_right(THREAD, SPLIT, JOIN, 1, 2));
}

static void test_lost_annotations_are_found(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  assert_false(is_right(LANE, "", "", 1, 2));
  assert_false(is_right(LANE, PUSH POP, "", 1, 4));
  assert_false(is_right(THREAD, "", "", 1, 2));
}

static void test_created_branches_are_found_if_lanes_diverge(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  assert_false(is_right(LANE, PUSH POP, "", 0, 2));
  assert_false(is_right(THREAD, "", "", 0, 0));
  assert_true(is_right("lw a1, 4(a0)\n", "", "", 0, 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_annotated_branches_are_right),
      cmocka_unit_test(test_lost_annotations_are_found),
      cmocka_unit_test(test_created_branches_are_found_if_lanes_diverge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
