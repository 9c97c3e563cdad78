/* The code memory: numbers, addresses, growth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/code.h"
#include "words.h"

enum { BASE = 0x08000000, WORDS = 8 };

static struct sl_code make(uint32_t count)
{
  struct sl_code code;
  assert_int_equal(sl_code_init(&code, sl_isa(SL_ISA_RV32), SL_ISA_I, BASE, count, NULL), SL_OK);
  return code;
}

static void a_new_memory_holds_no_instruction(void **state)
{
  (void)state;
  struct sl_code code = make(WORDS);
  for (uint32_t pc = BASE; pc < BASE + 4 * WORDS; pc += 4)
    assert_int_equal(sl_code_at(&code, pc)->op, SL_OP_UNKNOWN);
  sl_code_free(&code);
}

static void addresses_outside_and_between_words_have_no_instruction(void **state)
{
  (void)state;
  struct sl_code code = make(WORDS);
  assert_null(sl_code_at(&code, BASE - 4));
  assert_null(sl_code_at(&code, BASE + 4 * WORDS));
  for (uint32_t pc = BASE + 1; pc < BASE + 4; pc++) {
    assert_null(sl_code_at(&code, pc));
    assert_true(sl_code_index(&code, pc) >= code.count);
  }
  sl_code_free(&code);
}

static void a_word_is_found_by_its_address(void **state)
{
  (void)state;
  struct sl_code code = make(WORDS);
  sl_code_write(&code, 3, word_i(SL_OP_ADDI, 1, 2, 5));
  const struct sl_insn *in = sl_code_at(&code, BASE + 12);
  assert_int_equal(in->op, SL_OP_ADDI);
  assert_int_equal(sl_code_number(&code, in), 3);
  assert_int_equal(sl_code_address(&code, 3), BASE + 12);
  sl_code_free(&code);
}

static void neighbours_are_a_word_apart(void **state)
{
  (void)state;
  struct sl_code code = make(WORDS);
  assert_int_equal(sl_code_next(&code, BASE + 8), BASE + 12);
  assert_int_equal(sl_code_before(&code, BASE + 8), BASE + 4);
  assert_int_equal(sl_next(sl_code_at(&code, BASE), BASE), BASE + code.word_bytes);
  sl_code_free(&code);
}

static void growing_keeps_the_contents(void **state)
{
  (void)state;
  struct sl_code code = make(0);
  assert_null(sl_code_at(&code, BASE));
  for (uint32_t i = 0; i < 5000; i++) {
    assert_true(sl_code_grow(&code, i + 1));
    sl_code_write(&code, i, word_i(SL_OP_ADDI, 1, 1, (int)(i & 1023)));
  }
  for (uint32_t i = 0; i < 5000; i++)
    assert_int_equal(code.insn[i].imm, i & 1023);
  assert_true(sl_code_grow(&code, 6000));
  assert_int_equal(code.insn[5999].op, SL_OP_UNKNOWN);
  sl_code_free(&code);
}

static void every_instruction_set_is_identified(void **state)
{
  (void)state;
  for (unsigned i = 0; i < SL_ISA_COUNT; i++) {
    const struct sl_isa *isa = sl_isa(i);
    assert_true(isa->name != NULL && isa->word_bytes >= 4 && sl_is_pow2(isa->word_bytes));
    const struct sl_insn unknown = isa->decode(0, ~0u);
    assert_int_equal(sl_insn_bytes(&unknown), isa->word_bytes);
    assert_int_equal(unknown.isa, i);
    for (unsigned r = 0; r < isa->registers; r++)
      assert_non_null(isa->register_name(r));
  }
  assert_ptr_equal(sl_isa(SL_ISA_COUNT), sl_isa(0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_memory_holds_no_instruction),
      cmocka_unit_test(addresses_outside_and_between_words_have_no_instruction),
      cmocka_unit_test(a_word_is_found_by_its_address),
      cmocka_unit_test(neighbours_are_a_word_apart),
      cmocka_unit_test(growing_keeps_the_contents),
      cmocka_unit_test(every_instruction_set_is_identified),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
