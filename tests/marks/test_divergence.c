/* Divergence analysis: values that differ between lanes and divergent branches, by the rules of
 * compiler/reconverge/passes.h one by one, on functions with an obvious answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

#include "compiler/reconverge/passes.h"

/* A value per lane, and a value per warp. */
#define LANE "call i32 asm \"csrr $0, 0xCC0\", \"=r\"()\n"
#define WARP "call i32 asm \"csrr $0, 0xCC1\", \"=r\"()\n"

struct subject {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMValueRef function;
  struct sl_flow flow;
  struct sl_divergence divergence;
};

static struct subject look_at(const char *text, bool same_parameters)
{
  struct subject s = {.context = LLVMContextCreate()};
  char *error = NULL;
  const LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
  if (LLVMParseIRInContext(s.context, buffer, &s.module, &error))
    fail_msg("%s", error);
  s.function = LLVMGetNamedFunction(s.module, "f");
  assert_non_null(s.function);
  sl_flow_make(&s.flow, s.function);
  sl_divergence_find(&s.divergence, &s.flow, s.function, same_parameters);
  return s;
}

static void leave(struct subject *s)
{
  sl_divergence_free(&s->divergence);
  sl_flow_free(&s->flow);
  LLVMDisposeModule(s->module);
  LLVMContextDispose(s->context);
}

static bool differs(const struct subject *s, const char *name)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      size_t length;
      if (strcmp(LLVMGetValueName2(i, &length), name) == 0)
        return sl_differs(&s->divergence, i);
    }
  fail_msg("there is no value %s", name);
  return false;
}

static bool splits(const struct subject *s, const char *block)
{
  for (unsigned b = 0; b < s->flow.count; b++)
    if (strcmp(LLVMGetBasicBlockName(s->flow.block[b]), block) == 0)
      return s->divergence.split[b];
  fail_msg("there is no block %s", block);
  return false;
}

static void values_computed_from_the_lane_index_diverge(void **state)
{
  (void)state;
  struct subject s = look_at("define i32 @f() {\n"
                             "  %lane = " LANE "  %warp = " WARP "  %own = mul i32 %lane, 4\n"
                             "  %common = add i32 %warp, 4\n"
                             "  %both = add i32 %own, %common\n"
                             "  %chosen = select i1 true, i32 %common, i32 7\n"
                             "  ret i32 %both\n}\n",
                             true);
  assert_true(differs(&s, "lane"));
  assert_true(differs(&s, "own"));
  assert_true(differs(&s, "both"));
  assert_false(differs(&s, "warp"));
  assert_false(differs(&s, "common"));
  assert_false(differs(&s, "chosen"));
  leave(&s);
}

static void values_that_the_header_declares_uniform_are_uniform(void **state)
{
  (void)state;
  struct subject s =
      look_at("define i32 @f() {\n"
              "  %lane = " LANE "  %slot = call i32 asm \"# the same for all lanes\", \"=r,0\"(i32 %lane)\n"
              "  %next = add i32 %slot, 1\n"
              "  ret i32 %next\n}\n",
              true);
  assert_true(differs(&s, "lane"));
  assert_false(differs(&s, "next"));
  leave(&s);
}

static const char parameters[] = "define i32 @f(ptr %p, i32 %n) {\n"
                                 "  %word = load i32, ptr %p\n"
                                 "  %more = add i32 %n, %word\n"
                                 "  ret i32 %more\n}\n";

static void parameters_follow_the_caller(void **state)
{
  (void)state;
  struct subject kernel = look_at(parameters, true), function = look_at(parameters, false);
  assert_false(differs(&kernel, "word"));
  assert_false(differs(&kernel, "more"));
  assert_true(differs(&function, "word"));
  assert_true(differs(&function, "more"));
  leave(&kernel);
  leave(&function);
}

static void loads_diverge_with_their_address(void **state)
{
  (void)state;
  struct subject s = look_at("@table = global [64 x i32] zeroinitializer\n"
                             "@own = thread_local global i32 0\n"
                             "declare ptr @llvm.threadlocal.address.p0(ptr)\n"
                             "define void @f(ptr %p) {\n"
                             "  %lane = " LANE "  %at = getelementptr i32, ptr @table, i32 %lane\n"
                             "  %apart = load i32, ptr %at\n"
                             "  %together = load i32, ptr @table\n"
                             "  %mine = call ptr @llvm.threadlocal.address.p0(ptr @own)\n"
                             "  %variable = load i32, ptr %mine\n"
                             "  %stack = alloca i32\n"
                             "  %local = load i32, ptr %stack\n"
                             "  ret void\n}\n",
                             true);
  assert_true(differs(&s, "apart"));
  assert_true(differs(&s, "variable"));
  assert_true(differs(&s, "local"));
  assert_false(differs(&s, "together"));
  leave(&s);
}

static void calls_and_atomics_diverge(void **state)
{
  (void)state;
  struct subject s = look_at("declare i32 @other(i32)\n"
                             "declare i32 @llvm.umin.i32(i32, i32)\n"
                             "define void @f(ptr %p, i32 %n) {\n"
                             "  %result = call i32 @other(i32 0)\n"
                             "  %old = atomicrmw add ptr %p, i32 1 monotonic\n"
                             "  %least = call i32 @llvm.umin.i32(i32 %n, i32 5)\n"
                             "  ret void\n}\n",
                             true);
  assert_true(differs(&s, "result"));
  assert_true(differs(&s, "old"));
  assert_false(differs(&s, "least"));
  leave(&s);
}

/* if (CONDITION) a: x = 1; else b: x = 2; */
#define DIAMOND(number, condition)                                                                                     \
  "define i32 @f(i32 %n) {\nentry:\n  %number = " number "  %c = icmp ult i32 " condition ", 5\n"                      \
  "  br i1 %c, label %a, label %b\n"                                                                                   \
  "a:\n  br label %end\nb:\n  br label %end\n"                                                                         \
  "end:\n  %x = phi i32 [ 1, %a ], [ 2, %b ]\n  ret i32 %x\n}\n"

static void joins_of_divergent_branches_diverge(void **state)
{
  (void)state;
  struct subject apart = look_at(DIAMOND(LANE, "%number"), true), together = look_at(DIAMOND(WARP, "%number"), true);
  assert_true(splits(&apart, "entry"));
  assert_true(differs(&apart, "x"));
  assert_false(splits(&together, "entry"));
  assert_false(differs(&together, "x"));
  leave(&apart);
  leave(&together);
}

/* Lanes that enter together agree inside: the inner branch and its PHI only concern the lanes that are there. */
static void values_inside_a_divergent_branch_stay_uniform(void **state)
{
  (void)state;
  struct subject s = look_at("define i32 @f(i32 %n) {\n"
                             "entry:\n  %lane = " LANE "  %own = icmp ult i32 %lane, 5\n"
                             "  %common = icmp ult i32 %n, 5\n"
                             "  br i1 %own, label %in, label %end\n"
                             "in:\n  br i1 %common, label %a, label %b\n"
                             "a:\n  br label %meet\n"
                             "b:\n  br label %meet\n"
                             "meet:\n  %x = phi i32 [ 1, %a ], [ 2, %b ]\n  br label %end\n"
                             "end:\n  %y = phi i32 [ 0, %entry ], [ %x, %meet ]\n  ret i32 %y\n}\n",
                             true);
  assert_true(splits(&s, "entry"));
  assert_false(splits(&s, "in"));
  assert_false(differs(&s, "x"));
  assert_true(differs(&s, "y"));
  leave(&s);
}

/* for (i = 0; i < BOUND; i++); i is used after the loop, through a PHI there (LCSSA). */
#define LOOP(number)                                                                                                   \
  "define i32 @f() {\nentry:\n  %bound = " number "  br label %loop\n"                                                 \
  "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %next = add i32 %i, 1\n"                                   \
  "  %again = icmp ult i32 %next, %bound\n  br i1 %again, label %loop, label %end\n"                                   \
  "end:\n  %turns = phi i32 [ %next, %loop ]\n  ret i32 %turns\n}\n"

/* In each iteration the remaining lanes have the same counter; after the loop each has that of its last iteration. */
static void values_after_a_loop_diverge_if_lanes_exit_in_different_iterations(void **state)
{
  (void)state;
  struct subject apart = look_at(LOOP(LANE), true), together = look_at(LOOP(WARP), true);
  assert_true(splits(&apart, "loop"));
  assert_false(differs(&apart, "i"));
  assert_false(differs(&apart, "next"));
  assert_true(differs(&apart, "turns"));
  assert_false(splits(&together, "loop"));
  assert_false(differs(&together, "turns"));
  leave(&apart);
  leave(&together);
}

/* A divergent `break` in the middle: the values at the loop's own exit differ, too, although its condition does not. */
static void all_exits_of_a_divergent_loop_diverge(void **state)
{
  (void)state;
  struct subject s = look_at("define i32 @f(i32 %n) {\n"
                             "entry:\n  %lane = " LANE "  br label %head\n"
                             "head:\n  %i = phi i32 [ 0, %entry ], [ %next, %latch ]\n"
                             "  %stop = icmp eq i32 %i, %lane\n"
                             "  br i1 %stop, label %left, label %latch\n"
                             "latch:\n  %next = add i32 %i, 1\n"
                             "  %again = icmp ult i32 %next, %n\n"
                             "  br i1 %again, label %head, label %end\n"
                             "left:\n  %early = phi i32 [ %i, %head ]\n  br label %end\n"
                             "end:\n  %x = phi i32 [ %early, %left ], [ %next, %latch ]\n  ret i32 %x\n}\n",
                             true);
  assert_true(splits(&s, "head"));
  assert_false(splits(&s, "latch"));
  assert_false(differs(&s, "i"));
  assert_true(differs(&s, "early"));
  assert_true(differs(&s, "x"));
  leave(&s);
}

/* A value that differs at the end of an iteration differs at the start of the next: a fixpoint. */
static void divergence_propagates_around_a_loop(void **state)
{
  (void)state;
  struct subject s = look_at("define i32 @f(i32 %n) {\n"
                             "entry:\n  %lane = " LANE "  br label %loop\n"
                             "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
                             "  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]\n"
                             "  %twice = mul i32 %sum, 2\n"
                             "  %more = add i32 %twice, %lane\n"
                             "  %next = add i32 %i, 1\n"
                             "  %again = icmp ult i32 %next, %n\n"
                             "  br i1 %again, label %loop, label %end\n"
                             "end:\n  %total = phi i32 [ %more, %loop ]\n  ret i32 %total\n}\n",
                             true);
  assert_false(splits(&s, "loop"));
  assert_false(differs(&s, "i"));
  assert_true(differs(&s, "sum"));
  assert_true(differs(&s, "twice"));
  assert_true(differs(&s, "total"));
  leave(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_computed_from_the_lane_index_diverge),
      cmocka_unit_test(values_that_the_header_declares_uniform_are_uniform),
      cmocka_unit_test(parameters_follow_the_caller),
      cmocka_unit_test(loads_diverge_with_their_address),
      cmocka_unit_test(calls_and_atomics_diverge),
      cmocka_unit_test(joins_of_divergent_branches_diverge),
      cmocka_unit_test(values_inside_a_divergent_branch_stay_uniform),
      cmocka_unit_test(values_after_a_loop_diverge_if_lanes_exit_in_different_iterations),
      cmocka_unit_test(all_exits_of_a_divergent_loop_diverge),
      cmocka_unit_test(divergence_propagates_around_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
