/* Check of the final code of OpenCL kernels: a divergent branch without its annotation is found, with its line, and
 * branches with numbers are mapped to what they were before code generation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cc/lanes/lane_code.h"
#include "cross.h"

#define PUSH ".word 0x00050009\n"
#define POP ".word 0x00051009\n"
#define SPLIT ".insn r 0x0B, 2, 0, t0, a1, x0\n"
#define JOIN ".insn r 0x0B, 3, 0, x0, t0, x0\n"
#define LANE "csrr a1, 0xf14\nandi a1, a1, 1\n"
#define THREAD "csrr a1, 0xcc0\nandi a1, a1, 1\n"

/* Whether the kernel of these instructions is right; an error names the place. */
static bool is_right_code(const char *instructions, const char *debug, const struct sl_kernel_branches *kernel,
                          const char *place)
{
  struct cross c;
  struct sl_log log = {NULL, 0, 0};
  char text[2000], command[300], path[2 * CROSS_PATH];
  snprintf(text, sizeof text, ".text\n.globl k\n.type k, @function\nk:\n%ssw a2, 0(a0)\nret\n.size k, . - k\n",
           instructions);
  snprintf(command, sizeof command,
           CROSS_GCC " -march=rv32ima_zicsr -mabi=ilp32 %s -nostdlib -Wl,-Ttext=0x80000000,-ek a.S -o a.elf 2>log",
           debug);
  cross_open(&c);
  cross_write(&c, "a.S", text);
  cross_run(&c, command);
  const bool right = sl_check_kernel_branches(cross_path(&c, "a.elf", path), kernel, 1, &log);
  cross_close(&c);
  assert_int_equal(right, log.text == NULL);
  if (!right) {
    assert_non_null(strstr(log.text, "error: kernel k, "));
    assert_non_null(strstr(log.text, place));
    assert_non_null(strstr(log.text, "lanes may diverge at this branch"));
  }
  sl_log_free(&log);
  return right;
}

/* Whether the kernel `condition, before, branch over an instruction, after` is right, if it had so many branches and
 * annotations before code generation. */
static bool is_right(const char *condition, const char *before, const char *after, unsigned branches,
                     unsigned annotations)
{
  char text[1000];
  const struct sl_kernel_branches kernel = {"k", branches, annotations, NULL};
  snprintf(text, sizeof text, "%s%sbeqz a1, 1f\naddi a2, a2, 1\n1:\n%s", condition, before, after);
  return is_right_code(text, "-g", &kernel, "a.S:");
}

/* The same for branches of these kinds and a machine branch with this column, on line 7, over many instructions. */
static bool is_mapped_right(const char *condition, const char *before, const char *after, unsigned column,
                            const struct sl_kernel_branches *kernel)
{
  char text[1000];
  snprintf(text, sizeof text,
           ".file 1 \"k.cl\"\n.loc 1 5 %d\n%s%s.loc 1 7 %u\nbeqz a1, 1f\n.loc 1 8 %d\nlw a3, 8(a0)\nmul a3, a3, a3\n"
           "lw a4, 12(a0)\nadd a2, a3, a4\nsw a3, 8(a0)\nsw a4, 4(a0)\n1:\n%s",
           SL_BRANCH_MADE, condition, before, column, SL_BRANCH_MADE, after);
  return is_right_code(text, "", kernel, "k.cl:7");
}

static void test_annotated_branches_are_right(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  assert_true(is_right(LANE, PUSH, POP, 1, 2));
  assert_true(is_right(THREAD, SPLIT, JOIN, 1, 2));
}

/* With 300 other words on the stack. */
static void test_conditions_may_be_spilled(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  static const char words[] = ".set at, -1600\n.rept 300\nsw zero, at(sp)\n.set at, at + 4\n.endr\n";
  char spilled[300];
  snprintf(spilled, sizeof spilled, "%s" SPLIT "sw a1, -8(sp)\nli a1, 0\nlw a1, -8(sp)\n", words);
  assert_true(is_right(THREAD, spilled, JOIN, 0, 2));
  snprintf(spilled, sizeof spilled, "%s" SPLIT "sw a3, -8(sp)\nli a1, 0\nlw a1, -8(sp)\nadd a1, a1, tp\n", words);
  assert_false(is_right(THREAD, spilled, JOIN, 0, 2));
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

/* Whatever the analysis of machine code says. */
static void test_branches_that_were_uniform_are_right(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  const struct sl_kernel_branches kernel = {"k", 1, 0, "au"};
  assert_true(is_mapped_right(THREAD, "", "", SL_BRANCH_FIRST + 1, &kernel));
  assert_true(is_mapped_right(LANE, PUSH POP, "", SL_BRANCH_FIRST + 1, &kernel));
}

/* But a select that is not found says nothing about a branch whose location was lost. */
static void test_branches_that_were_uniform_selects_are_right(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  const struct sl_kernel_branches kernel = {"k", 0, 0, "as"};
  assert_true(is_mapped_right(THREAD, "", "", SL_BRANCH_FIRST + 1, &kernel));
  assert_false(is_mapped_right(THREAD, "", "", SL_BRANCH_LOST, &kernel));
}

static void test_branches_that_were_annotated_must_be_guarded(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  const struct sl_kernel_branches kernel = {"k", 2, 2, "au"};
  assert_true(is_mapped_right(THREAD, SPLIT, JOIN, SL_BRANCH_FIRST, &kernel));
  assert_true(is_mapped_right(LANE, PUSH, POP, SL_BRANCH_FIRST, &kernel));
  assert_false(is_mapped_right(LANE, PUSH POP, "", SL_BRANCH_FIRST, &kernel));
  assert_false(is_mapped_right(THREAD, "", SPLIT JOIN, SL_BRANCH_FIRST, &kernel));
}

/* However long they are, and also if another branch is gone for each. */
static void test_branches_of_other_instructions_must_be_uniform(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  const struct sl_kernel_branches more = {"k", 0, 0, "au"}, as_many = {"k", 1, 0, "au"};
  assert_false(is_mapped_right(THREAD, "", "", SL_BRANCH_MADE, &more));
  assert_false(is_mapped_right(THREAD, "", "", SL_BRANCH_MADE, &as_many));
  assert_false(is_mapped_right(LANE, PUSH POP, "", SL_BRANCH_MADE, &as_many));
  assert_true(is_mapped_right("lw a1, 4(a0)\n", "", "", SL_BRANCH_MADE, &more));
}

/* Whether a branch of another instruction is right on a word that these instructions load from the stack. The argument
 * is uniform, and the thread's number is in t0. */
static bool is_loaded_right(const char *instructions)
{
  char text[600];
  const struct sl_kernel_branches kernel = {"k", 0, 0, "a"};
  snprintf(text, sizeof text, "csrr t0, 0xcc0\nlw a1, 4(a0)\naddi sp, sp, -32\nsw a1, 8(sp)\n%saddi sp, sp, 32\n",
           instructions);
  return is_mapped_right(text, "", "", SL_BRANCH_MADE, &kernel);
}

static void test_parts_of_stack_words_differ_if_their_word_does(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  assert_true(is_loaded_right("lbu a1, 8(sp)\n"));
  assert_true(is_loaded_right("lhu a1, 10(sp)\n"));
  assert_false(is_loaded_right("sw t0, 8(sp)\nlbu a1, 9(sp)\n"));
  assert_false(is_loaded_right("sb t0, 9(sp)\nlw a1, 8(sp)\n"));
  assert_false(is_loaded_right("sh t0, 10(sp)\nlbu a1, 8(sp)\n"));
  assert_true(is_loaded_right("sb t0, 12(sp)\nlw a1, 8(sp)\n"));
  assert_true(is_loaded_right("sb a1, 11(sp)\nlw a1, 8(sp)\n"));
}

/* A store through a pointer may change each word from the address that the pointer was made of. */
static void test_stack_words_differ_if_a_pointer_may_reach_them(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  static const char *const change[] = {
      "addi t1, sp, 4\nadd t1, t1, a1\nsw t0, 0(t1)\n",                               /* an index */
      "addi t1, sp, 12\nadd t1, t1, a1\nsw t0, -4(t1)\n",                             /* from 1 */
      "addi t1, sp, 16\nsub t1, t1, a1\nsw t0, 0(t1)\n",                              /* backwards */
      "addi t1, sp, 4\n2:\nsb t0, 0(t1)\naddi t1, t1, 1\nbne t1, sp, 2b\n",           /* a loop */
      "addi t1, sp, 28\n2:\nsb t0, 0(t1)\naddi t1, t1, -1\nbne t1, sp, 2b\n",         /* downwards */
      "addi t1, sp, 8\nsw t1, 8(a0)\nlw t1, 8(a0)\nsw t0, 0(t1)\n",                   /* from memory */
      "addi t1, sp, 8\namoadd.w t2, t0, (t1)\n",                                      /* by an atomic */
      "addi t1, sp, 4\nbnez a1, 2f\naddi t1, sp, 8\n2:\nsw t0, 0(t1)\n",              /* one of two */
      "addi t1, sp, 4\nsw t1, 12(sp)\nlw t1, 12(sp)\nadd t1, t1, a1\nsw t0, 0(t1)\n", /* a spilled one */
  };
  for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
    char text[300];
    snprintf(text, sizeof text, "%slw a1, 8(sp)\n", change[i]);
    assert_false(is_loaded_right(text));
    snprintf(text, sizeof text, "%slbu a1, 8(sp)\n", change[i]);
    assert_false(is_loaded_right(text));
  }
  assert_true(is_loaded_right("addi t1, sp, 12\nadd t1, t1, a1\nsw t0, 0(t1)\nlw a1, 8(sp)\n"));
  assert_true(is_loaded_right("add t1, a0, t0\nsw t0, 0(t1)\nlw a1, 8(sp)\n"));
}

static void test_lost_locations_must_be_those_of_uniform_branches(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  const struct sl_kernel_branches more = {"k", 0, 0, "aa"}, as_many = {"k", 1, 0, "aa"}, missing = {"k", 0, 0, "u"},
                                  either = {"k", 2, 0, "au"};
  for (unsigned column = SL_BRANCH_LOST; column <= SL_BRANCH_FIRST + 2; column += SL_BRANCH_FIRST + 2) {
    assert_false(is_mapped_right(THREAD, "", "", column, &more));
    assert_false(is_mapped_right(THREAD, "", "", column, &as_many));
    assert_false(is_mapped_right(THREAD, "", "", column, &either));
    assert_true(is_mapped_right(THREAD, "", "", column, &missing));
    assert_true(is_mapped_right("lw a1, 4(a0)\n", "", "", column, &more));
  }
}

/* The number of a lane comes to t3 over the back edges of two loops within two others, and t3 to the branch over those
 * of the outer ones. */
static void test_values_of_loops_within_loops_differ(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  static const char loops[] = PUSH "li a6, 0\nli a7, 0\nli t3, 0\n"
                                   "7:\n1:\nbeqz t3, 8f\nnop\n8:\nli a6, 3\nlw a1, 96(a0)\nbnez a1, 1b\n"
                                   "lw a1, 72(a0)\nbeqz a1, 2f\n" PUSH "3:\n" PUSH "4:\n5:\nadd t3, t3, a6\n"
                                   "lw a1, 100(a0)\nbnez a1, 5b\n" PUSH "6:\ncsrr a6, 0xf14\nbnez a7, 6b\n" POP
                                   "bnez a7, 4b\n" POP "bnez a7, 3b\n" POP "2:\nlw a1, 60(a0)\nbnez a1, 7b\n" POP;
  const struct sl_kernel_branches kernel = {"k", 0, 8, NULL};
  assert_false(is_right_code(loops, "-g", &kernel, "a.S:11"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_annotated_branches_are_right),
      cmocka_unit_test(test_conditions_may_be_spilled),
      cmocka_unit_test(test_lost_annotations_are_found),
      cmocka_unit_test(test_created_branches_are_found_if_lanes_diverge),
      cmocka_unit_test(test_branches_that_were_uniform_are_right),
      cmocka_unit_test(test_branches_that_were_uniform_selects_are_right),
      cmocka_unit_test(test_branches_that_were_annotated_must_be_guarded),
      cmocka_unit_test(test_branches_of_other_instructions_must_be_uniform),
      cmocka_unit_test(test_parts_of_stack_words_differ_if_their_word_does),
      cmocka_unit_test(test_stack_words_differ_if_a_pointer_may_reach_them),
      cmocka_unit_test(test_values_of_loops_within_loops_differ),
      cmocka_unit_test(test_lost_locations_must_be_those_of_uniform_branches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
