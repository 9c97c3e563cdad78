/* machine/sm7/riscv: reconvergence points of RISC-V code, and the core's description of instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/sm7/riscv/sm7_rv_warps.h"

enum { SETS = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX, MOST = 16 };

/* Words from the assembler; the listing beside them gives the expected places. */
static void find(const uint32_t *words, uint32_t count, uint32_t reconvergence[MOST])
{
  struct sl_code code;
  struct sl_error err;
  assert_int_equal(sl_code_init(&code, sl_isa(SL_ISA_RV32), SETS, 0x1000, count, &err), SL_OK);
  for (uint32_t i = 0; i < count; i++)
    sl_code_write(&code, i, words[i]);
  assert_int_equal(sl_sm7_rv_flow(&code, reconvergence, &err), SL_OK);
  sl_code_free(&code);
}

static void if_and_else_reconverge_after_both(void **state)
{
  const uint32_t words[] = {
      0x00050663, /* 0: beqz a0, 3 */
      0x00158593, /* 1: addi a1, a1, 1 */
      0x0080006f, /* 2: j 4 */
      0x00258593, /* 3: addi a1, a1, 2 */
      0x00008067, /* 4: ret */
  };
  uint32_t meet[MOST];
  (void)state;
  find(words, 5, meet);
  assert_int_equal(meet[0], 4);
}

static void a_call_returns_to_the_next_instruction(void **state)
{
  const uint32_t words[] = {
      0x00050463, /* 0: beqz a0, 2 */
      0x00c000ef, /* 1: jal ra, 4 */
      0x00158593, /* 2: addi a1, a1, 1 */
      0x00008067, /* 3: ret */
      0x00008067, /* 4: ret of the called function */
  };
  uint32_t meet[MOST];
  (void)state;
  find(words, 5, meet);
  assert_int_equal(meet[0], 2);
}

static void a_return_on_one_side_delays_reconvergence_to_the_function_end(void **state)
{
  const uint32_t words[] = {
      0x00050463, /* 0: beqz a0, 2 */
      0x00008067, /* 1: ret */
      0x00158593, /* 2: addi a1, a1, 1 */
      0x00008067, /* 3: ret */
  };
  uint32_t meet[MOST];
  (void)state;
  find(words, 4, meet);
  assert_int_equal(meet[0], SL_SM7_RV_NOWHERE);
}

/* The targets are unknown: the next instruction must not be taken for the reconvergence point. */
static void a_jump_through_a_register_counts_as_the_end_of_the_function(void **state)
{
  const uint32_t words[] = {
      0x00050463, /* 0: beqz a0, 2 */
      0x00078067, /* 1: jr a5 */
      0x00158593, /* 2: addi a1, a1, 1 */
      0x00008067, /* 3: ret */
  };
  uint32_t meet[MOST];
  (void)state;
  find(words, 4, meet);
  assert_int_equal(meet[0], SL_SM7_RV_NOWHERE);
}

static void a_link_to_another_register_is_not_a_call(void **state)
{
  (void)state;
  const struct sl_insn call = sl_decode(0x00c000ef, SETS), other = sl_decode(0x00c0036f, SETS),
                       behind = sl_decode(0x004000ef, SETS);
  assert_true(sl_is_call(&call));    /* jal ra, . + 12 */
  assert_false(sl_is_call(&other));  /* jal t1, . + 12 */
  assert_false(sl_is_call(&behind)); /* jal ra, . + 4: only reads the pc */
}

static void barrier_and_end_are_distinguished(void **state)
{
  (void)state;
  const struct sl_insn barrier = sl_decode(0x83001073, SETS), end = sl_decode(0x8300d073, SETS);
  assert_true(sl_sm7_rv_is_barrier(&barrier)); /* csrw 0x830, zero */
  assert_false(sl_sm7_rv_is_end(&barrier));
  assert_true(sl_sm7_rv_is_end(&end)); /* csrwi 0x830, 1 */
  assert_false(sl_sm7_rv_is_barrier(&end));
}

static struct sl_sm7_instruction facts(uint32_t word)
{
  const struct sl_insn in = sl_decode(word, SETS);
  assert_int_not_equal(in.op, SL_OP_UNKNOWN);
  return sl_sm7_rv_facts(&in);
}

static void instructions_have_the_classes_of_their_ptx_counterparts(void **state)
{
  static const struct {
    uint32_t word;
    uint8_t unit, class;
  } rows[] = {
      {0x00c58533, SL_SM7_INT, SL_SM7_C_INT_ADD},   /* add a0, a1, a2 */
      {0x00001537, SL_SM7_INT, SL_SM7_C_INT_ADD},   /* lui a0, 1 */
      {0x00c5c533, SL_SM7_INT, SL_SM7_C_OTHER},     /* xor a0, a1, a2 */
      {0x00259513, SL_SM7_INT, SL_SM7_C_OTHER},     /* slli a0, a1, 2 */
      {0x00c5a533, SL_SM7_INT, SL_SM7_C_OTHER},     /* slt a0, a1, a2 */
      {0x02c58533, SL_SM7_INT, SL_SM7_C_INT_MUL},   /* mul a0, a1, a2 */
      {0x02c5c533, SL_SM7_SFU, SL_SM7_C_INT_DIV},   /* div a0, a1, a2 */
      {0x00c5f553, SL_SM7_SP, SL_SM7_C_F32_ADD},    /* fadd.s a0, a1, a2 */
      {0x10c5f553, SL_SM7_SP, SL_SM7_C_F32_MUL},    /* fmul.s a0, a1, a2 */
      {0x68c5f543, SL_SM7_SP, SL_SM7_C_F32_MAD},    /* fmadd.s a0, a1, a2, a3 */
      {0x28c58553, SL_SM7_SP, SL_SM7_C_F32_MINMAX}, /* fmin.s a0, a1, a2 */
      {0x18c5f553, SL_SM7_SFU, SL_SM7_C_F32_DIV},   /* fdiv.s a0, a1, a2 */
      {0x5805f553, SL_SM7_SFU, SL_SM7_C_SFU},       /* fsqrt.s a0, a1 */
      {0xa0c5a553, SL_SM7_INT, SL_SM7_C_OTHER},     /* feq.s a0, a1, a2 */
      {0x0005a503, SL_SM7_MEM, SL_SM7_C_MEMORY},    /* lw a0, 0(a1) */
      {0x00a5a023, SL_SM7_MEM, SL_SM7_C_MEMORY},    /* sw a0, 0(a1) */
      {0x00c5a52f, SL_SM7_MEM, SL_SM7_C_MEMORY},    /* amoadd.w a0, a2, (a1) */
      {0x00050463, SL_SM7_INT, SL_SM7_C_OTHER},     /* beqz a0, . + 8 */
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct sl_sm7_instruction f = facts(rows[i].word);
    if (f.unit != rows[i].unit || f.class != rows[i].class)
      fail_msg("0x%08x: unit %u, class %u", rows[i].word, f.unit, f.class);
  }
}

static void x0_causes_no_waits_and_no_accesses(void **state)
{
  (void)state;
  const struct sl_sm7_instruction nop = facts(0x00000013), store = facts(0x0005a023); /* sw zero, 0(a1) */
  assert_int_equal(nop.watched + nop.reads + nop.writes, 0);
  assert_int_equal(store.reads, 1);
  assert_int_equal(store.read_bank[0], 11);
}

static void a_register_read_twice_is_read_from_its_bank_once(void **state)
{
  (void)state;
  const struct sl_sm7_instruction add = facts(0x00b58533); /* add a0, a1, a1 */
  assert_int_equal(add.reads, 1);
  assert_int_equal(add.writes, 1);
  assert_int_equal(add.write[0], 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(if_and_else_reconverge_after_both),
      cmocka_unit_test(a_call_returns_to_the_next_instruction),
      cmocka_unit_test(a_return_on_one_side_delays_reconvergence_to_the_function_end),
      cmocka_unit_test(a_jump_through_a_register_counts_as_the_end_of_the_function),
      cmocka_unit_test(a_link_to_another_register_is_not_a_call),
      cmocka_unit_test(barrier_and_end_are_distinguished),
      cmocka_unit_test(instructions_have_the_classes_of_their_ptx_counterparts),
      cmocka_unit_test(x0_causes_no_waits_and_no_accesses),
      cmocka_unit_test(a_register_read_twice_is_read_from_its_bank_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
