/* The floating-point unit's timing: latency classes, the token register, and the limit on operations in flight.
 *
 * For an instruction executed in e with latency L, write-back consumes its result in e+4+L (specification); the resume
 * merge, modelled here, takes it the cycle before: e+3+L. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing/pipeline/arithmetic_units.h"

static const uint8_t latencies[SL_FPU_CLASS_COUNT] = {
    [SL_FPU_ADD] = 3,    [SL_FPU_MUL] = 3,      [SL_FPU_DIV] = 32,  [SL_FPU_SQRT] = 16, [SL_FPU_MINMAX] = 1,
    [SL_FPU_TO_INT] = 3, [SL_FPU_FROM_INT] = 7, [SL_FPU_EQUAL] = 1, [SL_FPU_LESS] = 2};

/* Section 4 of the specification. */
static const struct {
  enum sl_op op;
  int latency;
} operations[] = {
    {SL_OP_FADD, 3},      {SL_OP_FSUB, 3}, {SL_OP_FMUL, 3},     {SL_OP_FDIV, 32},     {SL_OP_FSQRT, 16},
    {SL_OP_FMIN, 1},      {SL_OP_FMAX, 1}, {SL_OP_FCVT_W_S, 3}, {SL_OP_FCVT_WU_S, 3}, {SL_OP_FCVT_S_W, 7},
    {SL_OP_FCVT_S_WU, 7}, {SL_OP_FEQ, 1},  {SL_OP_FLT, 2},      {SL_OP_FLE, 2},
};

struct bench {
  struct sl_fpu fpu;
  int64_t now; /* the cycle of the next step */
};

static struct bench make_bench(unsigned limit)
{
  struct bench b = {0};
  sl_fpu_init(&b.fpu, latencies, limit);
  return b;
}

static void put(struct bench *b, enum sl_op op, unsigned n)
{
  const struct sl_insn in = {.op = (uint8_t)op, .kind = SL_KIND_FPU};
  sl_fpu_put(&b->fpu, &in, sl_response(1, n, 1));
}

/* The first part of a cycle: the merge may take a result, then the unit steps. The instruction that executes in the
 * cycle puts after it. Returns the number of the result taken, or -1. */
static int step(struct bench *b, bool take)
{
  int taken = -1;
  if (take && b->fpu.response.full)
    taken = (int)sl_response_warp(sl_fpu_take(&b->fpu));
  sl_fpu_cycle(&b->fpu, b->now++);
  return taken;
}

/* Steps on until a result is taken; returns the cycle it was taken in. */
static int64_t next_result(struct bench *b, int n)
{
  for (unsigned i = 0; i < 200; i++) {
    int taken = step(b, true);
    if (taken >= 0) {
      assert_int_equal(taken, n);
      return b->now - 1;
    }
  }
  fail_msg("no result %d", n);
  return -1;
}

static void every_operation_can_be_taken_in_e_plus_L_plus_3(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    struct bench b = make_bench(31);
    step(&b, true);
    put(&b, operations[i].op, 1); /* e = 0 */
    assert_true(sl_fpu_busy(&b.fpu));
    assert_int_equal(next_result(&b, 1), operations[i].latency + 3);
    step(&b, true);
    assert_false(sl_fpu_busy(&b.fpu));
  }
}

static void accepts_an_operation_of_one_latency_per_cycle(void **state)
{
  (void)state;
  struct bench b = make_bench(31);
  int taken = 0;
  for (unsigned n = 0; n < 30; n++) {
    taken += step(&b, true) >= 0;
    assert_true(sl_fpu_can_put(&b.fpu));
    put(&b, SL_OP_FADD, n);
  }
  assert_int_equal(taken, 30 - 6); /* in cycles 6 to 29 */
}

/* fadd in e = 0 would leave the token register together with feq in e = 2: feq waits a cycle in the queue. */
static void a_collision_delays_the_head_of_the_queue(void **state)
{
  (void)state;
  struct bench b = make_bench(31);
  step(&b, true);
  put(&b, SL_OP_FADD, 0);
  step(&b, true);
  step(&b, true);
  put(&b, SL_OP_FEQ, 1);
  step(&b, true);
  assert_false(sl_fpu_can_put(&b.fpu)); /* in 3: an instruction executing now would retry */
  step(&b, true);
  assert_true(sl_fpu_can_put(&b.fpu));
  assert_int_equal(next_result(&b, 0), 0 + 3 + 3);
  assert_int_equal(next_result(&b, 1), 2 + 1 + 3 + 1);
}

static void without_collision_the_head_does_not_wait(void **state)
{
  (void)state;
  struct bench b = make_bench(31);
  step(&b, true);
  put(&b, SL_OP_FADD, 0);
  step(&b, true);
  put(&b, SL_OP_FEQ, 1); /* e = 1: leaves one cycle before the addition */
  step(&b, true);
  assert_true(sl_fpu_can_put(&b.fpu));
  assert_int_equal(next_result(&b, 1), 1 + 1 + 3);
  assert_int_equal(next_result(&b, 0), 0 + 3 + 3);
}

static void collides_with_every_token_in_flight(void **state)
{
  (void)state;
  struct bench b = make_bench(31);
  /* A comparison that would leave with the first of two operations waits for both. */
  for (unsigned n = 0; n < 2; n++) {
    step(&b, true);
    put(&b, SL_OP_FSQRT, n); /* e = 0, 1: takeable in 19, 20 */
  }
  while (b.now < 15)
    step(&b, true);
  step(&b, true);
  put(&b, SL_OP_FEQ, 2); /* e = 15: takeable in 19 at the earliest */
  assert_int_equal(next_result(&b, 0), 19);
  assert_int_equal(next_result(&b, 1), 20);
  assert_int_equal(next_result(&b, 2), 21);
}

static void limit_counts_operations_until_they_are_taken(void **state)
{
  (void)state;
  for (unsigned limit = 1; limit <= 31; limit += 10) {
    struct bench b = make_bench(limit);
    unsigned accepted = 0;
    for (unsigned i = 0; i < 200; i++) {
      step(&b, false);
      if (sl_fpu_can_put(&b.fpu))
        put(&b, SL_OP_FMIN, accepted++);
    }
    assert_int_equal(accepted, limit + 1); /* and one waits in the request queue */
  }
}

static void a_slot_is_free_the_cycle_after_its_result_is_taken(void **state)
{
  (void)state;
  struct bench b = make_bench(2);
  for (unsigned n = 0; n < 3; n++) {
    step(&b, false);
    put(&b, SL_OP_FMIN, n);
  }
  for (unsigned i = 0; i < 20; i++)
    step(&b, false);
  assert_false(sl_fpu_can_put(&b.fpu));
  assert_int_equal(step(&b, true), 0);
  assert_false(sl_fpu_can_put(&b.fpu)); /* the count is a register */
  step(&b, false);
  assert_true(sl_fpu_can_put(&b.fpu));
}

static void untaken_results_wait_in_order(void **state)
{
  (void)state;
  struct bench b = make_bench(31);
  for (unsigned n = 0; n < 31; n++) {
    step(&b, false);
    put(&b, SL_OP_FMUL, n);
  }
  for (unsigned i = 0; i < 50; i++)
    step(&b, false);
  const int64_t first = b.now;
  for (int n = 0; n < 31; n++)
    assert_int_equal(next_result(&b, n), first + n); /* then one per cycle */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operation_can_be_taken_in_e_plus_L_plus_3),
      cmocka_unit_test(accepts_an_operation_of_one_latency_per_cycle),
      cmocka_unit_test(a_collision_delays_the_head_of_the_queue),
      cmocka_unit_test(without_collision_the_head_does_not_wait),
      cmocka_unit_test(collides_with_every_token_in_flight),
      cmocka_unit_test(limit_counts_operations_until_they_are_taken),
      cmocka_unit_test(a_slot_is_free_the_cycle_after_its_result_is_taken),
      cmocka_unit_test(untaken_results_wait_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
