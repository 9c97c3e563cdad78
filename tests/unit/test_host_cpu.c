/* The host CPU: short programs, every memory access, reservations, the end of a run, and faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/host_cpu.h"
#include "random.h"
#include "scalar.h"
#include "words.h"

enum { CODE_BASE = 0x08000000, CODE_WORDS = 512 };

#define DATA UINT32_C(0x90000000)

struct bench {
  struct sl_memory memory;
  struct sl_host host;
  uint32_t end; /* address of the next word */
};

static int setup(void **state)
{
  static struct bench bench;
  struct bench *b = *state = &bench;
  if (sl_memory_init(&b->memory, CODE_BASE + CODE_WORDS * 4, NULL) != SL_OK ||
      sl_host_init(&b->host, &b->memory, CODE_BASE, CODE_WORDS, simtight_sets(), NULL) != SL_OK)
    return 1;
  b->host.pc = b->end = CODE_BASE;
  b->host.x[1] = SL_HOST_RETURN;
  return 0;
}

static int teardown(void **state)
{
  struct bench *b = *state;
  sl_host_free(&b->host);
  sl_memory_free(&b->memory);
  return 0;
}

static void add(struct bench *b, uint32_t word)
{
  sl_host_write_code(&b->host, b->end, word);
  b->end += 4;
}

#define RETURN word_i(SL_OP_JALR, 0, 1, 0)

/* One instruction that neither stops nor jumps. */
static void execute(struct bench *b, uint32_t word)
{
  const uint32_t pc = b->host.pc = CODE_BASE;
  sl_host_write_code(&b->host, pc, word);
  assert_int_equal(sl_host_run(&b->host, 1), SL_HOST_BUDGET);
  assert_int_equal(b->host.pc, pc + 4);
}

static void expect_fault(struct bench *b, uint32_t word, enum sl_fault_kind kind, uint32_t address)
{
  b->host.pc = CODE_BASE + 8;
  sl_host_write_code(&b->host, b->host.pc, word);
  assert_int_equal(sl_host_run(&b->host, 1), SL_HOST_FAULTED);
  const struct sl_fault *f = &b->host.fault;
  assert_int_equal(f->kind, kind);
  assert_int_equal(f->warp, -1);
  assert_int_equal(f->pc, CODE_BASE + 8);
  assert_int_equal(f->address, address);
  assert_int_equal(f->insn.word, word);
}

/* 1 + 2 + ... + 10 */
static void a_loop_runs_to_its_return(void **state)
{
  struct bench *b = *state;
  add(b, word_i(SL_OP_ADDI, 5, 0, 10));
  add(b, word_r(SL_OP_ADD, 10, 10, 5));
  add(b, word_i(SL_OP_ADDI, 5, 5, -1));
  add(b, word_b(SL_OP_BNE, 5, 0, -8));
  add(b, RETURN);
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_RETURNED);
  assert_int_equal(b->host.x[10], 55);
  assert_int_equal(b->host.instructions, 1 + 3 * 10 + 1);
}

static void a_run_stops_at_its_budget_and_resumes(void **state)
{
  struct bench *b = *state;
  for (unsigned i = 0; i < 10; i++)
    add(b, word_i(SL_OP_ADDI, 5, 5, 1));
  assert_int_equal(sl_host_run(&b->host, 4), SL_HOST_BUDGET);
  assert_int_equal(b->host.x[5], 4);
  assert_int_equal(b->host.pc, CODE_BASE + 16);
  assert_int_equal(sl_host_run(&b->host, 6), SL_HOST_BUDGET);
  assert_int_equal(b->host.x[5], 10);
  assert_int_equal(b->host.instructions, 10);
}

static void value_rows_agree_with_the_reference(void **state)
{
  struct bench *b = *state;
  uint64_t seed = 1;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    if (((unsigned)info->set & simtight_sets()) == 0)
      continue;
    if (info->kind != SL_KIND_ALU && info->kind != SL_KIND_MUL && info->kind != SL_KIND_DIV &&
        info->kind != SL_KIND_FPU)
      continue;
    for (unsigned i = 0; i < 50; i++) {
      const uint32_t operands[3] = {0, random32(&seed), i % 5 ? random32(&seed) : 0};
      const uint32_t free_bits = random32(&seed) & ~info->mask & ~(31u << 7) & ~(31u << 15);
      const struct sl_insn in = sl_decode(info->match | free_bits | 7 << 7 | 1 << 15, info->set);
      b->host.x[1] = operands[1];
      b->host.x[2] = operands[2];
      b->host.x[in.rs2] = in.rs2 == 1 ? operands[1] : in.rs2 == 0 ? 0 : operands[2];
      execute(b, (uint32_t)in.word);
      const uint32_t expected = scalar_operation(op, operands[1],
                                                 in.rs2 == 1 ? operands[1]
                                                 : in.rs2    ? operands[2]
                                                             : 0,
                                                 in.imm, CODE_BASE);
      if (b->host.x[7] != expected)
        fail_msg("%s of 0x%08x gives 0x%08x, should 0x%08x", info->name, operands[1], b->host.x[7], expected);
    }
  }
}

static void branches_agree_with_the_reference(void **state)
{
  struct bench *b = *state;
  static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  static const enum sl_op ops[] = {SL_OP_BEQ, SL_OP_BNE, SL_OP_BLT, SL_OP_BGE, SL_OP_BLTU, SL_OP_BGEU};
  for (unsigned i = 0; i < 6 * 25; i++) {
    b->host.x[5] = values[i % 5];
    b->host.x[6] = values[i / 5 % 5];
    b->host.pc = CODE_BASE + 64;
    sl_host_write_code(&b->host, b->host.pc, word_b(ops[i / 25], 5, 6, -32));
    assert_int_equal(sl_host_run(&b->host, 1), SL_HOST_BUDGET);
    const bool taken = scalar_operation(ops[i / 25], b->host.x[5], b->host.x[6], 0, 0);
    assert_int_equal(b->host.pc, taken ? CODE_BASE + 32 : CODE_BASE + 68);
  }
}

static void calls_link_and_return(void **state)
{
  struct bench *b = *state;
  add(b, word_j(SL_OP_JAL, 5, 12));
  add(b, word_i(SL_OP_ADDI, 10, 10, 1));
  add(b, RETURN);
  add(b, word_i(SL_OP_ADDI, 10, 0, 40));
  add(b, word_i(SL_OP_JALR, 6, 5, 1)); /* the lowest bit of the target is cleared */
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_RETURNED);
  assert_int_equal(b->host.x[10], 41);
  assert_int_equal(b->host.x[5], CODE_BASE + 4);
  assert_int_equal(b->host.x[6], CODE_BASE + 20);
}

static void x0_stays_zero(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = DATA;
  sl_memory_store(&b->memory, DATA, 4, 99);
  execute(b, word_i(SL_OP_ADDI, 0, 5, 1));
  execute(b, word_i(SL_OP_LW, 0, 5, 0));
  execute(b, word_r(SL_OP_AMOADD, 0, 5, 5));
  execute(b, word_r(SL_OP_ADD, 7, 0, 0));
  assert_int_equal(b->host.x[0], 0);
  assert_int_equal(b->host.x[7], 0);
}

static void loads_and_stores_have_their_width_and_sign(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = DATA + 100;
  b->host.x[6] = 0x8899aabb;
  execute(b, word_s(SL_OP_SW, 6, 5, -100));
  execute(b, word_s(SL_OP_SH, 6, 5, -96));
  execute(b, word_s(SL_OP_SB, 6, 5, -93));
  assert_int_equal(sl_memory_load(&b->memory, DATA, 4), 0x8899aabb);
  assert_int_equal(sl_memory_load(&b->memory, DATA + 4, 4), 0xbb00aabb);
  static const struct {
    enum sl_op op;
    int offset;
    uint32_t value;
  } loads[] = {{SL_OP_LB, 0, 0xffffffbb}, {SL_OP_LBU, 0, 0xbb},   {SL_OP_LB, 3, 0xffffff88},
               {SL_OP_LH, 2, 0xffff8899}, {SL_OP_LHU, 2, 0x8899}, {SL_OP_LW, 0, 0x8899aabb},
               {SL_OP_LBU, 6, 0}};
  for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
    execute(b, word_i(loads[i].op, 7, 5, loads[i].offset - 100));
    assert_int_equal(b->host.x[7], loads[i].value);
  }
}

/* Unlike the SM, the host has atomics on all memory. */
static void atomics_return_the_old_word(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = DATA;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    if (sl_op_info(op)->kind != SL_KIND_AMO)
      continue;
    sl_memory_store(&b->memory, DATA, 4, 0x80000005);
    b->host.x[6] = 0x7000000c;
    execute(b, word_r((enum sl_op)op, 7, 5, 6));
    assert_int_equal(b->host.x[7], 0x80000005);
    assert_int_equal(sl_memory_load(&b->memory, DATA, 4), scalar_atomic(op, 0x80000005, 0x7000000c));
  }
}

static void a_conditional_store_needs_its_reservation(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = DATA;
  b->host.x[6] = 7;
  b->host.x[8] = DATA + 4;
  const uint32_t lr = word_r(SL_OP_LR, 7, 5, 0), sc = word_r(SL_OP_SC, 7, 5, 6);
  execute(b, sc); /* without one: fails, stores nothing */
  assert_int_equal(b->host.x[7], 1);
  assert_int_equal(sl_memory_load(&b->memory, DATA, 4), 0);
  execute(b, lr);
  execute(b, sc);
  assert_int_equal(b->host.x[7], 0);
  assert_int_equal(sl_memory_load(&b->memory, DATA, 4), 7);
  execute(b, sc); /* it is valid once */
  assert_int_equal(b->host.x[7], 1);
  execute(b, lr);
  execute(b, word_r(SL_OP_SC, 7, 8, 6)); /* and only for its address */
  assert_int_equal(b->host.x[7], 1);
  assert_int_equal(sl_memory_load(&b->memory, DATA + 4, 4), 0);
}

static void fences_and_cache_flushes_do_nothing(void **state)
{
  struct bench *b = *state;
  execute(b, word_i(SL_OP_FENCE, 0, 0, 0xff));
  execute(b, sl_op_info(SL_OP_FENCE_I)->match);
  execute(b, 0x00050008);
  assert_int_equal(b->host.instructions, 3);
  assert_true(sl_memory_hash(&b->memory) == UINT64_C(0xcbf29ce484222325)); /* of empty memory */
}

/* Functions inlined into both kernels and host code contain them. */
static void convergence_marks_do_nothing(void **state)
{
  struct bench *b = *state;
  uint32_t before[32];
  for (unsigned r = 1; r < 32; r++)
    b->host.x[r] = r * 0x01010101u;
  memcpy(before, b->host.x, sizeof before);
  for (unsigned i = 0; i < 40; i++) /* there is no nesting level that could overflow */
    execute(b, 0x00050009);
  execute(b, 0x00051009);
  assert_memory_equal(b->host.x, before, sizeof before);
  assert_int_equal(b->host.instructions, 41);
}

static void a_jump_to_itself_ends_the_program(void **state)
{
  struct bench *b = *state;
  add(b, word_i(SL_OP_ADDI, 5, 0, 1));
  add(b, word_j(SL_OP_JAL, 0, 0));
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_SPINS);
  assert_int_equal(b->host.pc, CODE_BASE + 4);
}

/* Where the boot loader is. */
static void a_jump_to_the_base_of_the_code_ends_the_program(void **state)
{
  struct bench *b = *state;
  b->host.pc = b->end = CODE_BASE + 0x400;
  b->host.x[5] = CODE_BASE;
  add(b, word_i(SL_OP_JALR, 0, 5, 0));
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_RETURNED);
  assert_int_equal(b->host.instructions, 1);
  b->host.pc = CODE_BASE + 0x400;
  sl_host_write_code(&b->host, CODE_BASE, 0x464c457f); /* the linker's headers there are not the program */
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_RETURNED);
}

static void a_program_may_have_its_code_at_the_base(void **state)
{
  struct bench *b = *state;
  add(b, word_i(SL_OP_ADDI, 10, 10, 1));
  add(b, word_j(SL_OP_JAL, 0, -4));
  assert_int_equal(sl_host_run(&b->host, 7), SL_HOST_BUDGET);
  assert_int_equal(b->host.x[10], 4);
}

static void a_csr_instruction_stops_until_it_is_finished(void **state)
{
  struct bench *b = *state;
  b->host.x[6] = 1234;
  add(b, word_csr(SL_OP_CSRRW, 5, 0x803, 6));
  add(b, RETURN);
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_CSR);
  assert_int_equal(b->host.pc, CODE_BASE);
  assert_int_equal(b->host.instructions, 0);
  bool writes;
  uint32_t operand;
  const struct sl_insn *in = sl_host_csr(&b->host, &writes, &operand);
  assert_true(writes);
  assert_int_equal(in->csr, 0x803);
  assert_int_equal(operand, 1234);
  sl_host_finish_csr(&b->host, 77);
  assert_int_equal(b->host.x[5], 77);
  assert_int_equal(b->host.instructions, 1);
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_RETURNED);
}

static void csr_immediates_are_operands_too(void **state)
{
  struct bench *b = *state;
  bool writes;
  uint32_t operand;
  add(b, word_csr(SL_OP_CSRRWI, 0, 0x827, 31));
  assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_CSR);
  sl_host_csr(&b->host, &writes, &operand);
  assert_true(writes);
  assert_int_equal(operand, 31);
  sl_host_finish_csr(&b->host, 77);
  assert_int_equal(b->host.x[0], 0);
}

static void setting_or_clearing_nothing_does_not_write(void **state)
{
  struct bench *b = *state;
  static const enum sl_op ops[] = {SL_OP_CSRRS, SL_OP_CSRRC, SL_OP_CSRRSI, SL_OP_CSRRCI};
  bool writes;
  uint32_t operand;
  for (unsigned i = 0; i < 4; i++) {
    add(b, word_csr(ops[i], 5, 0x803, 0));
    add(b, word_csr(ops[i], 5, 0x803, 6));
  }
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(sl_host_run(&b->host, 1000), SL_HOST_CSR);
    sl_host_csr(&b->host, &writes, &operand);
    assert_int_equal(writes, i % 2);
    sl_host_finish_csr(&b->host, 0);
  }
}

static void misaligned_accesses_fault(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = DATA + 1;
  expect_fault(b, word_i(SL_OP_LW, 7, 5, 1), SL_FAULT_MISALIGNED, DATA + 2);
  expect_fault(b, word_i(SL_OP_LH, 7, 5, 0), SL_FAULT_MISALIGNED, DATA + 1);
  expect_fault(b, word_s(SL_OP_SW, 7, 5, 0), SL_FAULT_MISALIGNED, DATA + 1);
  expect_fault(b, word_s(SL_OP_SH, 7, 5, 2), SL_FAULT_MISALIGNED, DATA + 3);
  expect_fault(b, word_r(SL_OP_AMOADD, 7, 5, 6), SL_FAULT_MISALIGNED, DATA + 1);
  expect_fault(b, word_r(SL_OP_LR, 7, 5, 0), SL_FAULT_MISALIGNED, DATA + 1);
}

static void accesses_below_data_memory_fault(void **state)
{
  struct bench *b = *state;
  const uint32_t low = CODE_BASE + CODE_WORDS * 4;
  b->host.x[5] = low;
  expect_fault(b, word_i(SL_OP_LW, 7, 0, 0), SL_FAULT_ADDRESS, 0);
  expect_fault(b, word_i(SL_OP_LBU, 7, 5, -1), SL_FAULT_ADDRESS, low - 1);
  expect_fault(b, word_s(SL_OP_SB, 7, 5, -1), SL_FAULT_ADDRESS, low - 1);
  execute(b, word_i(SL_OP_LW, 7, 5, 0));
}

static void a_fault_changes_no_register_and_no_memory(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = DATA + 1;
  b->host.x[7] = 42;
  const uint64_t hash = sl_memory_hash(&b->memory);
  expect_fault(b, word_i(SL_OP_LW, 7, 5, 0), SL_FAULT_MISALIGNED, DATA + 1);
  expect_fault(b, word_r(SL_OP_AMOSWAP, 7, 5, 5), SL_FAULT_MISALIGNED, DATA + 1);
  assert_int_equal(b->host.x[7], 42);
  assert_true(sl_memory_hash(&b->memory) == hash);
}

static void unknown_instructions_fault(void **state)
{
  struct bench *b = *state;
  expect_fault(b, 0x00000000, SL_FAULT_UNKNOWN_INSTRUCTION, CODE_BASE + 8);
  expect_fault(b, 0x0000000b, SL_FAULT_UNKNOWN_INSTRUCTION, CODE_BASE + 8); /* another machine's */
  expect_fault(b, 0x00000073, SL_FAULT_SYSTEM, CODE_BASE + 8);
}

static void leaving_the_program_faults_at_the_jump(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = 0x1000;
  add(b, word_i(SL_OP_JALR, 0, 5, 0));
  assert_int_equal(sl_host_run(&b->host, 10), SL_HOST_FAULTED);
  assert_int_equal(b->host.fault.kind, SL_FAULT_JUMP);
  assert_int_equal(b->host.fault.pc, CODE_BASE);
  assert_int_equal(b->host.fault.address, 0x1000);
  b->host.pc = CODE_BASE + CODE_WORDS * 4 - 4; /* or off the end */
  sl_host_write_code(&b->host, b->host.pc, word_r(SL_OP_ADD, 0, 0, 0));
  assert_int_equal(sl_host_run(&b->host, 10), SL_HOST_FAULTED);
  assert_int_equal(b->host.fault.pc, CODE_BASE + CODE_WORDS * 4);
}

static void a_jump_between_words_faults(void **state)
{
  struct bench *b = *state;
  b->host.x[5] = CODE_BASE + 2;
  add(b, word_i(SL_OP_JALR, 0, 5, 0));
  assert_int_equal(sl_host_run(&b->host, 10), SL_HOST_FAULTED);
  assert_int_equal(b->host.fault.kind, SL_FAULT_JUMP);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_loop_runs_to_its_return),
      TEST(a_run_stops_at_its_budget_and_resumes),
      TEST(value_rows_agree_with_the_reference),
      TEST(branches_agree_with_the_reference),
      TEST(calls_link_and_return),
      TEST(x0_stays_zero),
      TEST(loads_and_stores_have_their_width_and_sign),
      TEST(atomics_return_the_old_word),
      TEST(a_conditional_store_needs_its_reservation),
      TEST(fences_and_cache_flushes_do_nothing),
      TEST(convergence_marks_do_nothing),
      TEST(a_jump_to_itself_ends_the_program),
      TEST(a_jump_to_the_base_of_the_code_ends_the_program),
      TEST(a_program_may_have_its_code_at_the_base),
      TEST(a_csr_instruction_stops_until_it_is_finished),
      TEST(csr_immediates_are_operands_too),
      TEST(setting_or_clearing_nothing_does_not_write),
      TEST(misaligned_accesses_fault),
      TEST(accesses_below_data_memory_fault),
      TEST(a_fault_changes_no_register_and_no_memory),
      TEST(unknown_instructions_fault),
      TEST(leaving_the_program_faults_at_the_jump),
      TEST(a_jump_between_words_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
