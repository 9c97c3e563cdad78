/* machine/sm7 with registers.model=volta: cycles of published microbenchmarks, which are in the comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sm7_program.h"

enum { EVEN = 2, ODD = 3, EVEN_NEXT = 4, ODD_NEXT = 5, EVEN_LAST = 6, RESULT = 40 };

static struct sl_sm7_spec volta(void)
{
  struct sl_sm7_spec spec = defaults();
  spec.register_model = SL_SM7_REGISTERS_VOLTA;
  spec.result_delay = 0;
  spec.timing[SL_SM7_C_INT_ADD] = spec.timing[SL_SM7_C_INT_MAD] = spec.timing[SL_SM7_C_F32_MAD] =
      (struct sl_sm7_timing){.latency = 1, .interval = 2};
  spec.timing[SL_SM7_C_F64_ADD] = (struct sl_sm7_timing){.latency = 5, .interval = 4};
  return spec;
}

/* d = a * b + c on registers of given places in the file. */
static void fma_of(enum sl_sm7_class class, unsigned d, unsigned a, unsigned b, unsigned c)
{
  struct sl_sm7_instruction *i = put(SL_SM7_SP, class, SL_SM7_ALU, (int)d, NO_REGISTER, NO_REGISTER);
  const unsigned source[] = {a, b, c};
  i->sources = 0;
  for (unsigned n = 0; n < 3; n++)
    sl_sm7_add_source(i, SL_SM7_PLACED | source[n], 1);
}

static void fma_conflicting(unsigned copy)
{
  fma_of(SL_SM7_C_F32_MAD, RESULT + copy, 10 * copy + EVEN, 10 * copy + EVEN_NEXT, 10 * copy + EVEN_LAST);
}
static void fma_of_both_banks(unsigned copy)
{
  fma_of(SL_SM7_C_F32_MAD, RESULT + copy, 10 * copy + EVEN, 10 * copy + EVEN_NEXT, 10 * copy + ODD);
}
static void fma_of_the_same(unsigned copy)
{
  fma_of(SL_SM7_C_F32_MAD, RESULT + copy, EVEN, EVEN_NEXT, EVEN_LAST);
}
static void fma_of_two_of_the_same(unsigned copy)
{
  fma_of(SL_SM7_C_F32_MAD, RESULT + copy, EVEN, EVEN_NEXT, 10 * copy + EVEN_LAST);
}
static void chain_add(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 1, 1, 2);
}
static void chain_fma64(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_DP, SL_SM7_C_F64_ADD, 1, 1, 2);
}

static uint64_t slope(void (*body)(unsigned copy), uint32_t threads)
{
  enum { FEW = 8, MANY = 24 };
  const struct sl_sm7_spec spec = volta();
  uint64_t cycles[2];
  for (unsigned n = 0; n < 2; n++) {
    new_program();
    for (unsigned i = 0; i < (n ? MANY : FEW); i++)
      body(i);
    end_program();
    cycles[n] = cycles_of(&spec, 1, threads, 0);
    assert_true(cycles[n] > 0);
  }
  return (cycles[1] - cycles[0]) / (MANY - FEW);
}

/* arXiv:1804.06826, table 4.1: IADD3 4, DADD 8 cycles, with units of 16 and 8 lanes. */
static void a_dependent_instruction_issues_4_cycles_later(void **state)
{
  (void)state;
  assert_int_equal(slope(chain_add, 32), 4);
  assert_int_equal(slope(chain_fma64, 32), 8);
}

/* arXiv:1804.06826, section 3.5: an FFMA takes a scheduler 2 cycles, and 3 if its operands are in one bank. */
static void three_operands_in_one_bank_take_a_cycle_more(void **state)
{
  (void)state;
  assert_int_equal(slope(fma_of_both_banks, 1024), 8 * 2);
  assert_int_equal(slope(fma_conflicting, 1024), 8 * 3);
}

/* One warp; the next instruction has the three operands in the same places. If one differs, one is read. */
static void operands_that_the_next_instruction_reads_again_are_kept(void **state)
{
  (void)state;
  assert_int_equal(slope(fma_conflicting, 32), 3);
  assert_int_equal(slope(fma_of_the_same, 32), 2);
  assert_int_equal(slope(fma_of_two_of_the_same, 32), 2);
}

static void the_operands_of_another_warp_are_not(void **state)
{
  (void)state;
  assert_int_equal(slope(fma_of_the_same, 1024), 8 * 3);
}

/* arXiv:2503.20481, section 5.3: of two FFMA, the first reads three operands of bank 0, the second one of bank 0 and
 * two others. Both in bank 1: no bubble; one in bank 0: one; both: two. Units of 32 lanes. */
static uint64_t cycles_of_pair(unsigned x, unsigned y)
{
  const struct sl_sm7_spec spec = volta();
  new_program();
  fma_of(SL_SM7_C_OTHER, RESULT, 10, 12, 14);
  fma_of(SL_SM7_C_OTHER, RESULT + 1, 16, x, y);
  end_program();
  return cycles_of(&spec, 1, 32, 0);
}

static void the_ports_are_reserved_for_three_cycles(void **state)
{
  (void)state;
  const uint64_t least = cycles_of_pair(19, 21);
  assert_int_equal(cycles_of_pair(18, 21), least + 1);
  assert_int_equal(cycles_of_pair(19, 20), least + 1);
  assert_int_equal(cycles_of_pair(18, 20), least + 2);
}

static void branch_and_add(unsigned copy)
{
  put(SL_SM7_INT, SL_SM7_C_OTHER, SL_SM7_ALU, NO_REGISTER, NO_REGISTER, NO_REGISTER)->branch = true;
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, RESULT + (int)copy, NO_REGISTER, NO_REGISTER);
}
static void two_adds(unsigned copy)
{
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, RESULT + (int)copy, NO_REGISTER, NO_REGISTER);
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, RESULT + (int)copy, NO_REGISTER, NO_REGISTER);
}

/* With an interval of 1, a branch uses a slot that the integer unit leaves. */
static void branches_have_a_unit_of_their_own(void **state)
{
  (void)state;
  assert_int_equal(slope(two_adds, 1024), 8 * 4);
  assert_int_equal(slope(branch_and_add, 1024), 8 * 2);
}

static void multiply_and_add(unsigned copy)
{
  const struct sl_sm7_spec spec = {.multiply_unit = SL_SM7_MULTIPLY_SP};
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, RESULT + (int)copy, NO_REGISTER, NO_REGISTER);
  alu(SL_SM7_INT, SL_SM7_C_INT_MAD, RESULT + (int)copy, NO_REGISTER, NO_REGISTER);
  for (unsigned i = 1; i <= 2; i++) /* changes the second one only */
    sl_sm7_choose_unit(&spec, &program.code[program.count - i]);
}

/* Nsight Compute documentation, pipelines: FMA performs IMAD, ALU other integer instructions. */
static void multiplications_run_beside_additions_by_key(void **state)
{
  (void)state;
  assert_int_equal(slope(multiply_and_add, 1024), 8 * 2);
}

/* Loads of the same words of shared memory to 1 and 4 registers, by 32 warps. */
static void load_32_bits(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, (int)(RESULT + copy), NO_REGISTER, 0, 0);
}
static void load_128_bits(unsigned copy)
{
  struct sl_sm7_instruction *i = memory(SL_SM7_LOAD, SL_SM7_SHARED, (int)(RESULT + 4 * copy), NO_REGISTER, 0, 0);
  for (; i->writes < 4; i->writes++)
    i->write[i->writes] = i->write_bank[i->writes] = (uint16_t)(RESULT + 4 * copy + i->writes);
}

/* arXiv:1804.06826, section 3.5: two banks of 64 bits, so that 128 bits of a lane take no longer than 32. */
static void a_load_of_128_bits_is_written_in_a_cycle(void **state)
{
  (void)state;
  assert_int_equal(slope(load_32_bits, 1024), 32);
  assert_int_equal(slope(load_128_bits, 1024), 32);
}

/* The unit of a store that conflicts 32 times takes one, a register and the queue five more. */
static uint64_t stalls_of_stores(unsigned stores)
{
  const struct sl_sm7_spec spec = volta();
  const struct sl_sm7_demand demand = {.blocks = 1, .threads = 32, .registers = 16};
  struct sl_sm7_gpu *gpu = NULL;
  new_program();
  for (unsigned i = 0; i < stores; i++)
    memory(SL_SM7_STORE, SL_SM7_SHARED, NO_REGISTER, 1, 0, 32 * 4);
  end_program();
  program.threads = 32;
  const struct sl_sm7_front front = program_front();
  assert_int_equal(sl_sm7_gpu_create(&gpu, &spec, NULL), SL_OK);
  assert_int_equal(sl_sm7_gpu_launch(gpu, &front, &demand, NULL), SL_OK);
  assert_int_equal(sl_sm7_gpu_run(gpu, 100000), SL_OK);
  const uint64_t stalls = sl_sm7_gpu_totals(gpu).sm.cause[SL_SM7_STALL_REASON_LDST];
  sl_sm7_gpu_destroy(gpu);
  return stalls;
}

static void memory_instructions_wait_in_a_queue_of_four(void **state)
{
  (void)state;
  assert_in_range(stalls_of_stores(6), 0, 4);
  assert_in_range(stalls_of_stores(7), 20, 32);
}

/* Registers 7 and 9 are defined first and second, 8 is a pair, and 3 a parameter. */
static void registers_are_numbered_in_the_order_of_their_definitions(void **state)
{
  (void)state;
  struct sl_sm7_operands operands[5];
  new_program();
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 7, NO_REGISTER, NO_REGISTER);
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 9, NO_REGISTER, NO_REGISTER);
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 8, 7, 9);
  sl_sm7_add_source(put(SL_SM7_INT, SL_SM7_C_OTHER, SL_SM7_ALU, 10, 3, 9), 8, 2);
  end_program();
  sl_sm7_find_operands(program.code, program.count, operands);
  assert_int_not_equal(sl_sm7_read_bank(operands[2].place[0]), sl_sm7_read_bank(operands[2].place[1]));
  assert_int_equal(operands[3].place[0], 0);
  assert_int_equal(operands[3].place[1], operands[2].place[1]);
  assert_int_equal(operands[3].reads[0], 1);
  assert_int_equal(operands[3].reads[1], 1);
  assert_int_equal(operands[2].keeps, 1 << 1);
}

static void a_register_that_is_written_in_between_is_not_kept(void **state)
{
  (void)state;
  struct sl_sm7_operands operands[3];
  new_program();
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 7, 7, NO_REGISTER);
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 8, 7, NO_REGISTER);
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 9, 7, NO_REGISTER);
  sl_sm7_find_operands(program.code, program.count, operands);
  assert_int_equal(operands[0].keeps, 0);
  assert_int_equal(operands[1].keeps, 1);
}

static void keys_of_collectors_are_refused(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = volta();
  struct sl_error err;
  assert_int_equal(sl_sm7_check(&spec, &err), SL_OK);
  spec.collectors = 16;
  assert_int_equal(sl_sm7_check(&spec, &err), SL_USAGE);
  spec = volta();
  spec.banks = 16;
  assert_int_equal(sl_sm7_check(&spec, &err), SL_USAGE);
  spec = volta();
  spec.issues = 2;
  assert_int_equal(sl_sm7_check(&spec, &err), SL_USAGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dependent_instruction_issues_4_cycles_later),
      cmocka_unit_test(three_operands_in_one_bank_take_a_cycle_more),
      cmocka_unit_test(operands_that_the_next_instruction_reads_again_are_kept),
      cmocka_unit_test(the_operands_of_another_warp_are_not),
      cmocka_unit_test(the_ports_are_reserved_for_three_cycles),
      cmocka_unit_test(branches_have_a_unit_of_their_own),
      cmocka_unit_test(multiplications_run_beside_additions_by_key),
      cmocka_unit_test(a_load_of_128_bits_is_written_in_a_cycle),
      cmocka_unit_test(memory_instructions_wait_in_a_queue_of_four),
      cmocka_unit_test(registers_are_numbered_in_the_order_of_their_definitions),
      cmocka_unit_test(a_register_that_is_written_in_between_is_not_kept),
      cmocka_unit_test(keys_of_collectors_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
