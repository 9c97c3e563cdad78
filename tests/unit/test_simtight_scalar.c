/* Warps in a machine's scalar pipeline (specification, section 10): entry, instruction periods, exit.
 *
 * Predictions survive a kernel, so these kernels run twice: the first launch finds no bit set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/engine/engine.h"
#include "kernel.h"

enum { COPIES = 8, A = 5, B = 6, RESULT = 7 };

#define NOP word_i(SL_OP_ADDI, 0, 0, 0)

/* Cycles from pick to execute of the vector pipeline, with a slot for every register and with fewer. */
static const unsigned depth[] = {9, 10};

static struct sl_simtight_spec scalar_spec(unsigned warps, bool fewer_slots)
{
  struct sl_simtight_spec spec = kernel_spec(32, warps);
  spec.compressed = 1;
  spec.scalar_pipeline = 1;
  spec.vector_slots = fewer_slots ? 32 * warps - 1 : 0;
  return spec;
}

static struct kernel *make(unsigned warps)
{
  const struct sl_simtight_spec spec = scalar_spec(warps, true);
  return kernel_create(&spec);
}

static void run_twice(struct kernel *k)
{
  kernel_add(k, END);
  kernel_run(k, false);
  kernel_run(k, false);
}

static uint64_t between(const struct kernel *k, uint32_t pc, uint32_t later)
{
  return kernel_executed(k, later) - kernel_executed(k, pc);
}

/* ---- entry and exit ---------------------------------------------------------------------------------------------- */

static void unpredicted_warps_stay_in_the_vector_pipeline(void **state)
{
  (void)state;
  struct kernel *k = make(1);
  kernel_repeat(k, word_i(SL_OP_ADDI, RESULT, RESULT, 1), COPIES);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), 0);
  assert_int_equal(kernel_counter(k, "scalarised_instrs"), 0);
  kernel_run(k, false); /* all except the first, and the end, which is not a scalar instruction */
  assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), COPIES - 1);
  assert_int_equal(kernel_counter(k, "scalarised_instrs"), 32 * (COPIES - 1));
  assert_int_equal(kernel_counter(k, "warp_instrs"), COPIES + 1);
  assert_int_equal(kernel_counter(k, "thread_instrs"), 32 * (COPIES + 1));
  kernel_free(k);
}

/* From execute in e: in the scalar queue in e+2, or when its result's suspension ends, in e+5; execute five later. */
static void a_warp_enters_when_its_suspension_ends(void **state)
{
  (void)state;
  for (unsigned fewer = 0; fewer < 2; fewer++)
    for (unsigned result = 0; result < 2; result++) {
      const struct sl_simtight_spec spec = scalar_spec(1, fewer);
      struct kernel *k = kernel_create(&spec);
      const uint32_t first = k->end;
      kernel_add(k, result ? word_i(SL_OP_ADDI, RESULT, 0, 1) : NOP);
      kernel_add(k, NOP);
      run_twice(k);
      assert_int_equal(kernel_executed(k, first), depth[fewer]);
      assert_int_equal(between(k, first, first + 4), (result ? 5 : 2) + 5);
      kernel_free(k);
    }
}

/* Picked in u, executed in u+5; in the vector queue in u+7. */
static void a_warp_leaves_at_an_unpredicted_instruction(void **state)
{
  (void)state;
  for (unsigned fewer = 0; fewer < 2; fewer++) {
    const struct sl_simtight_spec spec = scalar_spec(1, fewer);
    struct kernel *k = kernel_create(&spec);
    kernel_add(k, NOP);
    const uint32_t last = k->end;
    kernel_add(k, word_i(SL_OP_ADDI, RESULT, 0, 1));
    run_twice(k);
    assert_int_equal(between(k, last, last + 4), 2 + depth[fewer]);
    kernel_free(k);
  }
}

/* The loop's first iteration has no predictions; in the second the branch is the first instruction whose bit is known
 * before it. Taken or not, the warp stays until the bit at the end of the loop. */
static void branches_keep_a_warp_in_the_scalar_pipeline(void **state)
{
  (void)state;
  enum { ROUNDS = 10 };
  struct kernel *k = make(1);
  kernel_add(k, word_i(SL_OP_ADDI, RESULT, 0, ROUNDS));
  const uint32_t loop = k->end;
  kernel_add(k, word_i(SL_OP_ADDI, RESULT, RESULT, -1));
  kernel_add(k, word_b(SL_OP_BNE, RESULT, 0, -4));
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), 2 * ROUNDS - 3);
  for (unsigned i = 5; i < k->commits; i++) /* the first word, three of the loop, one to enter */
    assert_int_equal(k->commit[i].cycle - k->commit[i - 1].cycle, k->commit[i].pc < loop + 8 ? 7 : 2 + depth[1]);
  kernel_free(k);
}

/* The lanes of a jump in the vector pipeline change their PC, even to the next instruction. */
static void a_jump_of_the_vector_pipeline_does_not_enter(void **state)
{
  (void)state;
  struct kernel *k = make(1);
  kernel_add(k, word_j(SL_OP_JAL, 0, 4));
  kernel_add(k, NOP);
  run_twice(k);
  assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), 0);
  kernel_free(k);
}

static void partial_warps_do_not_enter(void **state)
{
  (void)state;
  struct kernel *k = make(1);
  kernel_add(k, word_csr(SL_OP_CSRRS, A, 0xf14, 0));
  kernel_add(k, 0x00050009); /* push */
  kernel_add(k, word_i(SL_OP_SLTI, B, A, 16));
  kernel_add(k, word_b(SL_OP_BNE, B, 0, 16)); /* lanes 0 to 15, to the reconvergence point */
  kernel_repeat(k, NOP, 3);
  kernel_add(k, word_csr(SL_OP_CSRRS, 0, 0xf14, 0));
  kernel_add(k, 0x00051009); /* pop */
  run_twice(k);
  assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), 2); /* push and pop */
  kernel_free(k);
}

/* A 0 written by the vector pipeline is uniform, but not an operand here. */
static void a_zero_of_the_vector_pipeline_is_not_an_operand(void **state)
{
  (void)state;
  for (int value = 0; value < 2; value++) {
    struct kernel *k = make(1);
    kernel_add(k, word_i(SL_OP_ADDI, A, 0, value));
    kernel_add(k, word_i(SL_OP_ADDI, B, A, 1));
    run_twice(k);
    assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), value);
    kernel_free(k);
  }
}

/* ---- periods ----------------------------------------------------------------------------------------------------- */

/* Copies of a word: returns the period of each, and counts the picks of the suspended warp; after the last copy the
 * vector pipeline picks it. */
static void expect_period(uint32_t word, unsigned period, unsigned bubbles, unsigned vector_bubbles)
{
  for (unsigned fewer = 0; fewer < 2; fewer++) {
    const struct sl_simtight_spec spec = scalar_spec(1, fewer);
    struct kernel *k = kernel_create(&spec);
    kernel_add(k, word_i(SL_OP_ADDI, A, 0, 1000));
    kernel_add(k, word_i(SL_OP_ADDI, B, 0, 7));
    const uint32_t first = k->end;
    kernel_repeat(k, word, COPIES);
    run_twice(k);
    for (unsigned i = 1; i < COPIES; i++)
      if (between(k, first + 4 * (i - 1), first + 4 * i) != period)
        fail_msg("0x%08x takes %u cycles, should %u", word, (unsigned)between(k, first + 4 * (i - 1), first + 4 * i),
                 period);
    assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), COPIES + 1);
    assert_int_equal(kernel_counter(k, "scalar_bubbles"), bubbles * (COPIES - 1));
    assert_int_equal(kernel_counter(k, "bubbles"), vector_bubbles);
    assert_int_equal(kernel_counter(k, "scalar_aborts"), 0);
    assert_int_equal(kernel_counter(k, "scalar_retries"), 0);
    kernel_free(k);
  }
}

static void instructions_take_7_with_or_without_a_result(void **state)
{
  (void)state;
  expect_period(NOP, 7, 0, 0);
  expect_period(word_i(SL_OP_ADDI, RESULT, RESULT, 1), 7, 0, 0);
  expect_period(word_r(SL_OP_SLTU, RESULT, A, B), 7, 0, 0);
  expect_period(word_u(SL_OP_LUI, RESULT, 5), 7, 0, 0);
  expect_period(word_u(SL_OP_AUIPC, RESULT, 5), 7, 0, 0);
  expect_period(word_b(SL_OP_BEQ, A, B, 64), 7, 0, 0);
  expect_period(word_b(SL_OP_BNE, A, B, 4), 7, 0, 0);
  expect_period(word_j(SL_OP_JAL, RESULT, 4), 7, 0, 0);
  expect_period(0x00050009, 7, 0, 0); /* push */
}

/* The result is consumed in r = u+10, so the warp could be picked in r+3. But it was picked in u+7, before its
 * suspension was visible, and is back in u+14. The vector pipeline retries in u+12 or u+13, when the suspension has
 * ended. */
static void multiplications_and_shifts_take_14_with_a_bubble(void **state)
{
  (void)state;
  expect_period(word_r(SL_OP_MUL, RESULT, A, B), 14, 1, 0);
  expect_period(word_r(SL_OP_MULHU, RESULT, A, B), 14, 1, 0);
  expect_period(word_r(SL_OP_SLLI, RESULT, A, 3), 14, 1, 0);
  expect_period(word_r(SL_OP_SRA, RESULT, A, B), 14, 1, 0);
}

/* r = u+41, and the warp is picked in r+3; after the same bubble. */
static void divisions_take_44_with_a_bubble(void **state)
{
  (void)state;
  expect_period(word_r(SL_OP_DIV, RESULT, A, B), 44, 1, 1);
  expect_period(word_r(SL_OP_REMU, RESULT, A, B), 44, 1, 1);
}

/* One instruction per cycle: seven warps fill the pipeline. */
static void seven_warps_take_7_cycles_an_instruction_together(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = scalar_spec(8, true);
  for (unsigned warps = 1; warps <= 8; warps *= 2) {
    spec.warps = warps;
    spec.vector_slots = 32 * warps - 1;
    struct kernel *k = kernel_create(&spec);
    kernel_repeat(k, NOP, 50);
    const uint32_t last = k->end;
    run_twice(k);
    uint64_t first_cycle = UINT64_MAX, last_cycle = 0;
    for (unsigned i = 0; i < k->commits; i++)
      if (k->commit[i].pc < last && k->commit[i].pc > last - 4 * 49) {
        first_cycle = k->commit[i].cycle < first_cycle ? k->commit[i].cycle : first_cycle;
        last_cycle = k->commit[i].cycle > last_cycle ? k->commit[i].cycle : last_cycle;
      }
    const uint64_t instructions = 48 * warps;
    if (warps == 8) /* one a cycle, but for some at the edges */
      assert_in_range(last_cycle - first_cycle, instructions - 1, instructions + 8);
    else
      assert_int_equal(last_cycle - first_cycle, 47 * 7 + warps - 1);
    kernel_free(k);
  }
}

/* The first division is accepted in c and its result taken in c+35: the next is accepted in c+36. The other warp
 * retries from c+1 on every seven cycles. */
static void a_busy_divider_is_retried_every_seven_cycles(void **state)
{
  (void)state;
  struct kernel *k = make(2);
  kernel_add(k, NOP);
  const uint32_t division = k->end;
  kernel_add(k, word_r(SL_OP_DIV, RESULT, 0, 0));
  run_twice(k);
  uint64_t executed[2] = {0};
  for (unsigned i = 0; i < k->commits; i++)
    if (k->commit[i].pc == division)
      executed[k->commit[i].warp] = k->commit[i].cycle;
  assert_int_equal(executed[1] - executed[0], 1 + 5 * 7);
  assert_int_equal(kernel_counter(k, "scalar_retries"), 5);
  assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), 2);
  assert_int_equal(kernel_counter(k, "retries"), 0);
  kernel_free(k);
}

/* ---- unscalarisable instructions --------------------------------------------------------------------------------- */

/* A load of the memory words, and a use of it. */
static struct kernel *make_load(bool fewer_slots, uint32_t *load)
{
  const struct sl_simtight_spec spec = scalar_spec(1, fewer_slots);
  struct kernel *k = kernel_create(&spec);
  kernel_compute(k, A, DATA, 4, B);
  kernel_add(k, word_i(SL_OP_LW, RESULT, A, 0));
  *load = k->end - 4;
  kernel_add(k, word_i(SL_OP_XORI, B, RESULT, 1));
  kernel_add(k, END);
  return k;
}

static void fill_memory(struct kernel *k, uint32_t first, uint32_t step)
{
  for (unsigned l = 0; l < 32; l++)
    sl_memory_store(&k->memory, DATA + 4 * l, 4, first + l * step);
}

/* The load resumes in e+46; the warp waits in the scalar queue and is picked in e+46+4. Its operand is a vector, so it
 * is in the vector queue seven cycles later. */
static void a_vector_operand_sends_the_warp_back_and_is_an_abort(void **state)
{
  (void)state;
  for (unsigned fewer = 0; fewer < 2; fewer++) {
    uint32_t load;
    struct kernel *k = make_load(fewer, &load);
    fill_memory(k, 5, 0);
    for (unsigned i = 0; i < 4; i++) /* until predictions of the words before the load are stable */
      kernel_run(k, false);
    assert_int_equal(kernel_counter(k, "scalar_aborts"), 0);
    assert_int_equal(between(k, load, load + 4), 46 + 4 + 5); /* executed here */
    const uint64_t scalar = kernel_counter(k, "scalar_warp_instrs");
    fill_memory(k, 5, 3);
    kernel_run(k, false);
    assert_int_equal(kernel_counter(k, "scalar_aborts"), 1);
    assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), scalar - 1);
    assert_int_equal(between(k, load, load + 4), 46 + 4 + 7 + depth[fewer]);
    for (unsigned l = 0; l < 32; l++)
      assert_int_equal(sl_simtight.view.read_register(&k->sm->base, 0, l, B), (5 + 3 * l) ^ 1);
    kernel_run(k, false); /* the vector pipeline has cleared the bit */
    assert_int_equal(kernel_counter(k, "scalar_aborts"), 0);
    assert_int_equal(kernel_counter(k, "scalar_warp_instrs"), scalar - 1);
    kernel_free(k);
  }
}

/* lanes * stride = 128: adding 64 to an affine vector of stride 4 does not give an affine one. The attempt counts as an
 * instruction, not as an abort, and the bit stays set. */
static void a_sum_that_does_not_fit_sends_the_warp_back_uncounted(void **state)
{
  (void)state;
  for (int addend = 64; addend <= 128; addend += 64) {
    struct kernel *k = make(1);
    kernel_compute(k, A, DATA, 4, B);
    kernel_add(k, word_csr(SL_OP_CSRRS, 0, 0xf14, 0));
    const uint32_t before = k->end - 4;
    kernel_add(k, word_i(SL_OP_ADDI, RESULT, A, addend));
    run_twice(k);
    const uint64_t scalar = kernel_counter(k, "scalar_warp_instrs"), counted = kernel_counter(k, "scalarised_instrs");
    assert_int_equal(kernel_counter(k, "scalar_aborts"), 0);
    if (addend == 128) {
      assert_int_equal(counted, 32 * scalar);
      assert_int_equal(between(k, before, before + 4), 2 + 5);
    } else {
      assert_int_equal(counted, 32 * (scalar + 1));
      assert_int_equal(between(k, before, before + 4), 2 + 7 + depth[1]);
    }
    for (unsigned l = 0; l < 32; l++)
      assert_int_equal(sl_simtight.view.read_register(&k->sm->base, 0, l, RESULT), DATA + 4 * l + (uint32_t)addend);
    kernel_free(k);
  }
}

/* ---- limit ------------------------------------------------------------------------------------------------------- */

static void the_limit_bounds_resident_warps(void **state)
{
  (void)state;
  for (unsigned limit = 1; limit <= 16; limit *= 2) {
    struct sl_simtight_spec spec = scalar_spec(16, true);
    spec.scalar_warps = limit;
    struct kernel *k = kernel_create(&spec);
    kernel_repeat(k, word_i(SL_OP_ADDI, RESULT, RESULT, 1), 40);
    kernel_add(k, END);
    kernel_run(k, false);
    unsigned most = 0;
    kernel_start(k, 0);
    while (sl_engine_run(sl_engine_of(false), &k->sm->base, 1) == SL_SM_RUNNING)
      most = k->sm->s.scalar.resident > most ? k->sm->s.scalar.resident : most;
    assert_int_equal(most, limit);
    assert_int_equal(k->sm->s.scalar.resident, 0);
    assert_null(sl_simtight_broken(k->sm));
    kernel_free(k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unpredicted_warps_stay_in_the_vector_pipeline),
      cmocka_unit_test(a_warp_enters_when_its_suspension_ends),
      cmocka_unit_test(a_warp_leaves_at_an_unpredicted_instruction),
      cmocka_unit_test(branches_keep_a_warp_in_the_scalar_pipeline),
      cmocka_unit_test(a_jump_of_the_vector_pipeline_does_not_enter),
      cmocka_unit_test(partial_warps_do_not_enter),
      cmocka_unit_test(a_zero_of_the_vector_pipeline_is_not_an_operand),
      cmocka_unit_test(instructions_take_7_with_or_without_a_result),
      cmocka_unit_test(multiplications_and_shifts_take_14_with_a_bubble),
      cmocka_unit_test(divisions_take_44_with_a_bubble),
      cmocka_unit_test(seven_warps_take_7_cycles_an_instruction_together),
      cmocka_unit_test(a_busy_divider_is_retried_every_seven_cycles),
      cmocka_unit_test(a_vector_operand_sends_the_warp_back_and_is_an_abort),
      cmocka_unit_test(a_sum_that_does_not_fit_sends_the_warp_back_uncounted),
      cmocka_unit_test(the_limit_bounds_resident_warps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
