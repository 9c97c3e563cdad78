/* Cycles per instruction of a single warp with the compressed register file (specification, sections 1, 4, 6, 7 and
 * 11). With a slot for every register, execute is two cycles later than with the plain file, and a result ends the
 * suspension another two later. With fewer slots execute is one more cycle later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel.h"

enum { COPIES = 6, OTHER = 4, ADDRESS = 5, VALUE = 6, RESULT = 7 };

/* Cycles from pick to execute, with a slot for every register and with fewer. */
static const unsigned depth[] = {9, 10};

static struct sl_simtight_spec compressed_spec(bool fewer_slots)
{
  struct sl_simtight_spec spec = kernel_spec(32, 1);
  spec.compressed = 1;
  spec.vector_slots = fewer_slots ? 31 : 0;
  return spec;
}

/* Copies of a word with lane l's address at `address` + l * stride; each must take `period` cycles, one more with fewer
 * slots. */
static void expect_with(struct sl_simtight_spec spec, uint32_t word, uint32_t address, uint32_t stride, unsigned period)
{
  for (unsigned fewer = 0; fewer < 2; fewer++) {
    spec.compressed = 1;
    spec.vector_slots = fewer ? 31 : 0;
    struct kernel *k = kernel_create(&spec);
    kernel_add(k, word_i(SL_OP_ADDI, 0, 0, 0));
    kernel_compute(k, ADDRESS, address, stride, OTHER);
    kernel_compute(k, VALUE, 0x3f800000, 3, OTHER);
    const uint32_t first = k->end;
    kernel_repeat(k, word, COPIES);
    kernel_add(k, END);
    kernel_run(k, false);
    assert_int_equal(k->commit[0].cycle, depth[fewer]); /* picked in cycle 0 */
    for (uint32_t pc = first; pc < first + 4 * COPIES; pc += 4) {
      const uint64_t took = kernel_executed(k, pc + 4) - kernel_executed(k, pc);
      if (took != period + fewer)
        fail_msg("0x%08x takes %u cycles, should %u", word, (unsigned)took, period + fewer);
    }
    assert_int_equal(kernel_counter(k, "cycles"), kernel_executed(k, first + 4 * COPIES) + 1); /* section 2 */
    assert_int_equal(kernel_counter(k, "retries"), 0);
    assert_int_equal(kernel_counter(k, "spills"), 0);
    kernel_free(k);
  }
}

static void expect(uint32_t word, unsigned period)
{
  expect_with(compressed_spec(false), word, DATA, 4, period);
}

static void instructions_without_a_result_take_11_or_12(void **state)
{
  (void)state;
  expect(word_i(SL_OP_ADDI, 0, 0, 0), 11);
  expect(word_r(SL_OP_XOR, 0, ADDRESS, VALUE), 11);
  expect(word_b(SL_OP_BEQ, ADDRESS, VALUE, 64), 11); /* not taken */
  expect(word_b(SL_OP_BNE, ADDRESS, VALUE, 4), 11);  /* taken */
  expect(word_j(SL_OP_JAL, 0, 4), 11);
  expect(0x00050009, 11); /* push */
  expect(word_csr(SL_OP_CSRRS, 0, 0xf14, 0), 11);
}

/* For every kind of result: uniform, affine, or a vector. */
static void results_of_the_alu_take_14_or_15(void **state)
{
  (void)state;
  expect(word_i(SL_OP_ADDI, RESULT, RESULT, 1), 14);
  expect(word_u(SL_OP_LUI, RESULT, 5), 14);
  expect(word_j(SL_OP_JAL, RESULT, 4), 14);
  expect(word_i(SL_OP_ADDI, RESULT, ADDRESS, 128), 14);
  expect(word_csr(SL_OP_CSRRS, RESULT, 0xf14, 0), 14);
  expect(word_r(SL_OP_XOR, RESULT, ADDRESS, VALUE), 14);
}

static void multiplications_and_shifts_take_18_or_19(void **state)
{
  (void)state;
  expect(word_r(SL_OP_MUL, RESULT, ADDRESS, VALUE), 18);
  expect(word_r(SL_OP_MULHU, RESULT, OTHER, OTHER), 18);
  expect(word_r(SL_OP_SLLI, RESULT, ADDRESS, 3), 18);
  expect(word_r(SL_OP_MUL, 0, ADDRESS, VALUE), 18);
}

static void divisions_take_49_or_50(void **state)
{
  (void)state;
  expect(word_r(SL_OP_DIV, RESULT, ADDRESS, VALUE), 49);
  expect(word_r(SL_OP_REMU, RESULT, OTHER, OTHER), 49);
}

static void float_operations_take_17_or_18_and_their_latency(void **state)
{
  (void)state;
  struct sl_simtight_spec spec = compressed_spec(false);
  spec.fpu = 1;
  expect_with(spec, word_r(SL_OP_FADD, RESULT, VALUE, VALUE), DATA, 4, 17 + 3);
  expect_with(spec, word_r(SL_OP_FMIN, RESULT, VALUE, VALUE), DATA, 4, 17 + 1);
  expect_with(spec, word_r(SL_OP_FSQRT, RESULT, VALUE, 0), DATA, 4, 17 + 16);
  expect_with(spec, word_r(SL_OP_FDIV, RESULT, OTHER, OTHER), DATA, 4, 17 + 32);
}

static void a_coalesced_word_load_takes_59_or_60_and_one_beat_one_less(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = compressed_spec(false);
  expect(word_i(SL_OP_LW, RESULT, ADDRESS, 0), 59);
  expect(word_i(SL_OP_LW, 0, ADDRESS, 0), 59);
  expect_with(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 0, 58);
  expect_with(spec, word_i(SL_OP_LB, RESULT, ADDRESS, 0), DATA, 1, 58);
  expect_with(spec, word_i(SL_OP_FENCE, 0, 0, 0xff), DATA, 0, 58);
  expect_with(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), DATA, 8, 58 + 31 * 4);
}

static void stores_take_11_or_12(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = compressed_spec(false);
  expect(word_s(SL_OP_SW, VALUE, ADDRESS, 0), 11);
  expect_with(spec, word_s(SL_OP_SW, VALUE, ADDRESS, 0), SCRATCHPAD, 4, 11);
}

static void scratchpad_loads_take_29_or_30_and_their_further_passes(void **state)
{
  (void)state;
  const struct sl_simtight_spec spec = compressed_spec(false);
  static const unsigned passes[] = {1, 2, 4, 8, 16, 32};
  for (unsigned i = 0; i < 6; i++)
    expect_with(spec, word_i(SL_OP_LW, RESULT, ADDRESS, 0), SCRATCHPAD, i ? 2u << i : 0, 28 + passes[i]);
}

/* The merge takes a hit in e+9 and write-back in e+11, like a word load from DRAM in e+46. */
static void a_stack_load_that_hits_the_stack_cache_takes_24_or_25(void **state)
{
  (void)state;
  for (unsigned fewer = 0; fewer < 2; fewer++) {
    struct sl_simtight_spec spec = compressed_spec(fewer);
    spec.stack_cache_entries = 2048;
    struct kernel *k = kernel_create(&spec);
    kernel_constant(k, VALUE, 77);
    kernel_add(k, word_i(SL_OP_ADDI, 2, 0, -8)); /* the stack pointer */
    kernel_add(k, word_s(SL_OP_SW, VALUE, 2, 0));
    const uint32_t first = k->end;
    kernel_repeat(k, word_i(SL_OP_LW, RESULT, 2, 0), COPIES);
    kernel_repeat(k, word_i(SL_OP_LW, RESULT, 2, -4), COPIES); /* not stored to */
    kernel_add(k, END);
    kernel_run(k, false);
    for (unsigned i = 0; i < 2 * COPIES; i++)
      assert_int_equal(kernel_executed(k, first + 4 * (i + 1)) - kernel_executed(k, first + 4 * i),
                       (i < COPIES ? 24 : 59) + fewer);
    assert_int_equal(kernel_counter(k, "stack_cache_hits"), COPIES);
    assert_int_equal(kernel_counter(k, "stack_cache_misses"), COPIES);
    assert_int_equal(kernel_counter(k, "dram_beats"), 2 * COPIES);
    kernel_free(k);
  }
}

/* Thread state takes a cycle per warp, the scalar register file one per entry (section 2). */
static void initialisation_takes_a_cycle_per_register_and_warp(void **state)
{
  (void)state;
  for (unsigned warps = 1; warps <= 64; warps *= 4) {
    struct sl_simtight_spec spec = kernel_spec(32, warps);
    spec.compressed = 1;
    struct kernel *k = kernel_create(&spec);
    kernel_add(k, END);
    kernel_run(k, false);
    assert_int_equal(kernel_counter(k, "init_cycles"), warps + 32 * warps);
    kernel_free(k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions_without_a_result_take_11_or_12),
      cmocka_unit_test(results_of_the_alu_take_14_or_15),
      cmocka_unit_test(multiplications_and_shifts_take_18_or_19),
      cmocka_unit_test(divisions_take_49_or_50),
      cmocka_unit_test(float_operations_take_17_or_18_and_their_latency),
      cmocka_unit_test(a_coalesced_word_load_takes_59_or_60_and_one_beat_one_less),
      cmocka_unit_test(stores_take_11_or_12),
      cmocka_unit_test(scratchpad_loads_take_29_or_30_and_their_further_passes),
      cmocka_unit_test(a_stack_load_that_hits_the_stack_cache_takes_24_or_25),
      cmocka_unit_test(initialisation_takes_a_cycle_per_register_and_warp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
