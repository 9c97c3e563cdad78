/* Cycles per instruction of a single warp: the periods measured on the published RTL (specification, sections 1, 4, 6
 * and 7), and those that follow from its rules: period = 9 + TR, the cycle after execute in which write-back consumes
 * the result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel.h"

enum { COPIES = 6, ADDRESS = 5, VALUE = 6, RESULT = 7 };

/* Executes copies of a word with lane l's address at `address` + l * stride; each must take `period` cycles. */
static void expect(struct sl_simtight_spec spec, uint32_t word, uint32_t address, uint32_t stride, unsigned period)
{
  spec.warps = 1;
  struct kernel *k = kernel_create(&spec);
  kernel_set(k, ADDRESS, address, stride);
  kernel_set(k, VALUE, 0x3f800000, 3);
  kernel_repeat(k, word, COPIES);
  kernel_add(k, END);
  kernel_run(k, false);
  assert_int_equal(k->commits, COPIES + 1);
  assert_int_equal(k->commit[0].cycle, 7); /* picked in cycle 0 */
  for (unsigned i = 1; i <= COPIES; i++)
    if (k->commit[i].cycle - k->commit[i - 1].cycle != period)
      fail_msg("0x%08x takes %u cycles, should %u", word, (unsigned)(k->commit[i].cycle - k->commit[i - 1].cycle),
               period);
  assert_int_equal(kernel_counter(k, "cycles"), k->commit[COPIES].cycle + 1); /* section 2 */
  assert_int_equal(kernel_counter(k, "retries"), 0);
  kernel_free(k);
}

static void expect_plain(uint32_t word, unsigned period)
{
  expect(kernel_spec(32, 1), word, DATA, 4, period);
}

static void instructions_without_a_result_take_9(void **state)
{
  (void)state;
  expect_plain(word_i(SL_OP_ADDI, 0, 0, 0), 9);
  expect_plain(word_r(SL_OP_XOR, 0, ADDRESS, VALUE), 9);
  expect_plain(word_b(SL_OP_BEQ, ADDRESS, VALUE, 64), 9); /* not taken */
  expect_plain(word_b(SL_OP_BNE, ADDRESS, VALUE, 4), 9);  /* taken */
  expect_plain(word_j(SL_OP_JAL, 0, 4), 9);
  expect_plain(0x00050009, 9); /* push */
  expect_plain(word_csr(SL_OP_CSRRS, 0, 0xf14, 0), 9);
}

static void results_of_the_alu_take_10(void **state)
{
  (void)state;
  expect_plain(word_i(SL_OP_ADDI, RESULT, RESULT, 1), 10);
  expect_plain(word_r(SL_OP_SLTU, RESULT, ADDRESS, VALUE), 10);
  expect_plain(word_u(SL_OP_LUI, RESULT, 5), 10);
  expect_plain(word_u(SL_OP_AUIPC, RESULT, 5), 10);
  expect_plain(word_j(SL_OP_JAL, RESULT, 4), 10);
  expect_plain(word_csr(SL_OP_CSRRS, RESULT, 0xf14, 0), 10);
}

static void multiplications_and_shifts_take_14(void **state)
{
  (void)state;
  expect_plain(word_r(SL_OP_MUL, RESULT, ADDRESS, VALUE), 14);
  expect_plain(word_r(SL_OP_MULHU, RESULT, ADDRESS, VALUE), 14);
  expect_plain(word_r(SL_OP_SLLI, RESULT, ADDRESS, 3), 14);
  expect_plain(word_r(SL_OP_SRA, RESULT, ADDRESS, VALUE), 14);
  expect_plain(word_r(SL_OP_MUL, 0, ADDRESS, VALUE), 14); /* a result for x0 still suspends and resumes */
}

static void sequential_divisions_take_45(void **state)
{
  (void)state;
  expect_plain(word_r(SL_OP_DIV, RESULT, ADDRESS, VALUE), 45);
  expect_plain(word_r(SL_OP_REMU, RESULT, ADDRESS, VALUE), 45);
  expect_plain(word_r(SL_OP_DIVU, 0, ADDRESS, VALUE), 45);
}

/* TR = e + latency + 3. */
static void pipelined_divisions_take_12_and_the_latency(void **state)
{
  (void)state;
  for (unsigned latency = 1; latency <= 61; latency += 12) {
    struct sl_simtight_spec spec = kernel_spec(32, 1);
    spec.divider = SL_DIVIDER_PIPELINED;
    spec.divider_latency = latency;
    expect(spec, word_r(SL_OP_DIV, RESULT, ADDRESS, VALUE), DATA, 4, 12 + latency);
  }
}

static void float_operations_take_13_and_their_latency(void **state)
{
  (void)state;
  static const struct {
    enum sl_op op;
    unsigned latency;
  } operations[] = {{SL_OP_FADD, 3},      {SL_OP_FSUB, 3},     {SL_OP_FMUL, 3},      {SL_OP_FDIV, 32},
                    {SL_OP_FSQRT, 16},    {SL_OP_FMIN, 1},     {SL_OP_FMAX, 1},      {SL_OP_FCVT_W_S, 3},
                    {SL_OP_FCVT_WU_S, 3}, {SL_OP_FCVT_S_W, 7}, {SL_OP_FCVT_S_WU, 7}, {SL_OP_FEQ, 1},
                    {SL_OP_FLT, 2},       {SL_OP_FLE, 2}};
  struct sl_simtight_spec spec = kernel_spec(32, 1);
  spec.fpu = 1;
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    const bool unary = sl_op_info(operations[i].op)->format == SL_FORMAT_R1M;
    expect(spec, word_r(operations[i].op, RESULT, VALUE, unary ? 0 : VALUE), DATA, 4, 13 + operations[i].latency);
  }
  expect(spec, word_r(SL_OP_FSGNJN, RESULT, VALUE, VALUE), DATA, 4, 10); /* sign injection is of the ALU */
}

static void configured_float_latencies_are_used(void **state)
{
  (void)state;
  for (unsigned latency = 1; latency <= SL_FPU_MAX_LATENCY; latency += 9) {
    struct sl_simtight_spec spec = kernel_spec(32, 1);
    spec.fpu = 1;
    spec.fpu_latency[SL_FPU_MUL] = latency;
    expect(spec, word_r(SL_OP_FMUL, RESULT, VALUE, VALUE), DATA, 4, 13 + latency);
  }
}

static void the_resume_merge_costs_no_cycle_without_contention(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = kernel_spec(32, 1);
  spec.fpu = 1;
  expect(spec, word_r(SL_OP_MUL, RESULT, ADDRESS, VALUE), DATA, 4, 14);
  expect(spec, word_r(SL_OP_DIV, RESULT, ADDRESS, VALUE), DATA, 4, 45);
  expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 4, 55);
}

static void a_coalesced_word_load_takes_55(void **state)
{
  (void)state;
  expect_plain(word_i(SL_OP_LW, RESULT, ADDRESS, 0), 55);
  expect_plain(word_i(SL_OP_LW, 0, ADDRESS, 0), 55);
}

static void one_beat_loads_take_54(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 1);
  expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 0, 54);
  expect(spec, word_i(SL_OP_LHU, RESULT, ADDRESS, 0), DATA, 2, 54);
  expect(spec, word_i(SL_OP_LB, RESULT, ADDRESS, 0), DATA, 1, 54);
  expect(spec, word_i(SL_OP_FENCE, 0, 0, 0xff), DATA, 0, 54); /* a fence reads one beat */
}

static void each_further_transaction_takes_4_more(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 1);
  expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA + 4, 4, 54 + 31 * 4);
  expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 8, 54 + 31 * 4);
  expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 4096, 178);
}

static void stores_take_9(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 1);
  expect(spec, word_s(SL_OP_SW, VALUE, ADDRESS, 0), DATA, 4, 9);
  expect(spec, word_s(SL_OP_SB, VALUE, ADDRESS, 0), DATA, 4096, 9);
  expect(spec, word_s(SL_OP_SW, VALUE, ADDRESS, 0), SCRATCHPAD, 4, 9);
  expect(spec, word_r(SL_OP_AMOADD, 0, ADDRESS, VALUE), SCRATCHPAD, 4, 9); /* no result, no wait */
}

/* k passes of the banks. */
static void scratchpad_accesses_take_25_plus_k_minus_1(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = kernel_spec(32, 1);
  static const struct {
    uint32_t stride;
    unsigned load, atomic;
  } cases[] = {{0, 1, 32}, {4, 2, 2}, {8, 4, 4}, {16, 8, 8}, {32, 16, 16}, {64, 32, 32}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), SCRATCHPAD, cases[i].stride, 24 + cases[i].load);
    expect(spec, word_r(SL_OP_AMOADD, RESULT, ADDRESS, VALUE), SCRATCHPAD, cases[i].stride, 24 + cases[i].atomic);
  }
}

static void dram_latency_adds_to_a_load(void **state)
{
  (void)state;
  for (unsigned latency = 1; latency <= 300; latency += 100) {
    struct sl_simtight_spec spec = kernel_spec(32, 1);
    spec.dram_latency = latency;
    expect(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 4, 55 - 30 + latency);
  }
}

/* Section 18: a word-mode block of 64 lanes is four beats, of 16 lanes or fewer one. */
static void beats_of_other_lane_counts_follow_the_block(void **state)
{
  (void)state;
  expect(kernel_spec(64, 1), word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 4, 54 + 3);
  for (unsigned lanes = 1; lanes <= 16; lanes *= 2)
    expect(kernel_spec(lanes, 1), word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 4, 54);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions_without_a_result_take_9),
      cmocka_unit_test(results_of_the_alu_take_10),
      cmocka_unit_test(multiplications_and_shifts_take_14),
      cmocka_unit_test(sequential_divisions_take_45),
      cmocka_unit_test(pipelined_divisions_take_12_and_the_latency),
      cmocka_unit_test(float_operations_take_13_and_their_latency),
      cmocka_unit_test(configured_float_latencies_are_used),
      cmocka_unit_test(the_resume_merge_costs_no_cycle_without_contention),
      cmocka_unit_test(a_coalesced_word_load_takes_55),
      cmocka_unit_test(one_beat_loads_take_54),
      cmocka_unit_test(each_further_transaction_takes_4_more),
      cmocka_unit_test(stores_take_9),
      cmocka_unit_test(scratchpad_accesses_take_25_plus_k_minus_1),
      cmocka_unit_test(dram_latency_adds_to_a_load),
      cmocka_unit_test(beats_of_other_lane_counts_follow_the_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
