/* RV32 words as 64-bit words: every row with random fields has the same meaning in both, and branch distances double.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/isa64/rv32/rv32_object.h"
#include "random.h"

static void compare(uint32_t word)
{
  struct sl_wide wide;
  const struct sl_insn narrow = sl_decode(word, SL_RV32_SETS);
  assert_int_equal(sl_wide_of_rv32(word, &wide), narrow.op != SL_OP_UNKNOWN);
  if (narrow.op == SL_OP_UNKNOWN)
    return;
  const struct sl_insn in = sl_wide_decode(sl_wide_encode(&wide), SL_WIDE_SETS);
  const bool distance = narrow.kind == SL_KIND_BRANCH || narrow.kind == SL_KIND_JAL;
  if (in.op != narrow.op)
    fail_msg("0x%08x is %s, and then %s", (unsigned)word, sl_op_info(narrow.op)->name, sl_op_info(in.op)->name);
  assert_int_equal(in.rd, narrow.rd);
  assert_int_equal(in.rs1, narrow.rs1);
  assert_int_equal(in.rs2, narrow.rs2);
  assert_int_equal(in.rs3, narrow.rs3);
  assert_int_equal(in.imm, distance ? 2 * narrow.imm : narrow.imm);
  assert_int_equal(in.width, narrow.width);
  assert_int_equal(sl_negates(&in), sl_negates(&narrow));
  if (narrow.kind == SL_KIND_CSR)
    assert_int_equal(in.csr, narrow.csr);
  if (narrow.kind == SL_KIND_FPU || narrow.kind == SL_KIND_FPX)
    assert_int_equal(sl_rounding_field(&in), sl_rounding_field(&narrow));
}

static void every_row_has_the_same_meaning(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; i < 200 && ((unsigned)sl_op_info(op)->set & SL_RV32_SETS); i++)
      compare(sl_op_info(op)->match | (random32(&seed) & ~sl_op_info(op)->mask));
  for (unsigned i = 0; i < 20000; i++)
    compare(random32(&seed));
}

/* Operands and fields of a listing: the ordering of atomics, the sets of fences. */
static void texts_are_the_same(void **state)
{
  (void)state;
  static const uint32_t words[] = {0x0ff0000f, 0x0330000f, 0x8330000f, 0x0000100f, 0x06c5a52f, 0x04c5a52f,
                                   0x1805a5af, 0xc0105073, 0x30529073, 0x00000073, 0x00100073, 0x10b57553};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    char narrow[80], text[80];
    struct sl_wide wide;
    const struct sl_insn in = sl_decode(words[i], SL_RV32_SETS);
    assert_true(sl_wide_of_rv32(words[i], &wide));
    const struct sl_insn again = sl_wide_decode(sl_wide_encode(&wide), SL_WIDE_SETS);
    sl_disassemble(&in, 0, narrow, sizeof narrow);
    sl_disassemble(&again, 0, text, sizeof text);
    assert_string_equal(text, narrow);
  }
}

static void words_of_other_extensions_are_refused(void **state)
{
  (void)state;
  struct sl_wide wide;
  assert_false(sl_wide_of_rv32(0x00052007, &wide)); /* flw */
  assert_false(sl_wide_of_rv32(0xe0000053, &wide)); /* fmv.x.w */
  assert_false(sl_wide_of_rv32(0x00000000, &wide));
  assert_false(sl_wide_of_rv32(0x00008082, &wide)); /* a compressed ret */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_has_the_same_meaning),
      cmocka_unit_test(texts_are_the_same),
      cmocka_unit_test(words_of_other_extensions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
