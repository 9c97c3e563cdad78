/* 64-bit instruction words: the published examples, every row encoded and decoded, every field, and invalid words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/wide.h"
#include "random.h"

enum { PC = 0x80000400 };

/* Extensions of 64-bit machines. */
#define SETS (SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2 | SL_ISA_WIDE)

/* Words from the authors' compiler, with their meaning by its assembler; target addresses are absolute. */
static void published_words_are_unchanged(void **state)
{
  (void)state;
  static const struct {
    uint64_t word;
    const char *text;
  } examples[] = {
      {0x00000000f1002233, "add\ta7,a6,a5"},         {0x0fffc00110c5fe23, "sw\ta7,-1024(a2)"},
      {0x0fffea800103fe63, "bne\ta6,zero,800002a8"}, {0x00100000a1201633, "mul\ta1,s2,a0"},
      {0x02000010001a0213, "srai\tra,ra,0x1"},       {0x0000f14000041473, "csrrs\ta0,mhartid,zero"},
      {0x00000000a0b2000b, "vx_wspawn\ta1,a0"},
  };
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    char text[80];
    const struct sl_insn in = sl_wide_decode(examples[i].word, SETS);
    sl_disassemble(&in, PC, text, sizeof text);
    assert_string_equal(text, examples[i].text);
    assert_int_equal(sl_insn_bytes(&in), 8);
  }
}

static bool has_mode(enum sl_format format, unsigned *bits)
{
  switch (format) {
  case SL_FORMAT_RM:
  case SL_FORMAT_R1M:
  case SL_FORMAT_R4M: *bits = 3; return true;
  case SL_FORMAT_A:
  case SL_FORMAT_AL: *bits = 2; return true;
  case SL_FORMAT_SPLIT:
  case SL_FORMAT_PRED: *bits = 1; return true;
  default: *bits = 0; return false;
  }
}

static void every_row_round_trips_with_its_fields(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    if (((unsigned)info->set & SETS) == 0)
      continue;
    for (unsigned i = 0; i < 100; i++) {
      unsigned bits;
      const bool mode = has_mode(info->format, &bits);
      const uint32_t r = random32(&seed), q = random32(&seed);
      const struct sl_wide wide = {.op = (enum sl_op)op,
                                   .pred = r & 15,
                                   .rd = (uint8_t)(r >> 4),
                                   .rs1 = (uint8_t)(r >> 12),
                                   .rs2 = (uint8_t)(r >> 20),
                                   .rs3 = (uint8_t)(q >> 24),
                                   .mode = (uint8_t)(mode ? q & ((1u << bits) - 1) : 0),
                                   .csr = (uint16_t)(q >> 4 & 0xfff),
                                   .imm = random32(&seed)};
      const struct sl_insn in = sl_wide_decode(sl_wide_encode(&wide), SETS);
      if (in.op != op)
        fail_msg("%s comes back as %s", info->name, sl_op_info(in.op)->name);
      assert_int_equal(sl_wide_pred(&in), wide.pred);
      assert_int_equal(in.rd, sl_writes_rd(&in) ? wide.rd : 0);
      if (info->format != SL_FORMAT_CI)
        assert_int_equal(in.rs1, sl_reads_rs1(&in) ? wide.rs1 : 0);
      assert_int_equal(in.rs2, sl_reads_rs2(&in) ? wide.rs2 : 0);
      assert_int_equal(in.rs3, sl_reads_rs3(&in) ? wide.rs3 : 0);
      if (bits == 3)
        assert_int_equal(sl_rounding_field(&in), wide.mode);
      if (bits == 1)
        assert_int_equal(sl_negates(&in), wide.mode);
      if (info->kind == SL_KIND_CSR)
        assert_int_equal(in.csr, wide.csr);
    }
  }
}

static struct sl_insn with_immediate(enum sl_op op, uint32_t imm)
{
  return sl_wide_decode(sl_wide_encode(&(struct sl_wide){.op = op, .rd = 200, .rs1 = 129, .rs2 = 255, .imm = imm}),
                        SETS);
}

static void immediates_have_all_32_bits(void **state)
{
  (void)state;
  static const enum sl_op ops[] = {SL_OP_ADDI, SL_OP_LW, SL_OP_SW, SL_OP_BEQ, SL_OP_JAL, SL_OP_JALR, SL_OP_AUIPC};
  static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfff000, 0x1000000, 0x12345678};
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
      assert_int_equal(with_immediate(ops[i], values[k]).imm, values[k]);
  assert_int_equal(with_immediate(SL_OP_LUI, 0xabcde000).imm, 0xabcde000);
  assert_int_equal(with_immediate(SL_OP_SRAI, 31).imm, 31);
  assert_int_equal(with_immediate(SL_OP_CSRRWI, 21).imm, 21);
}

/* The second bit of opext: shared memory. */
static void shared_accesses_have_opext_1(void **state)
{
  (void)state;
  const uint64_t load = sl_wide_encode(&(struct sl_wide){.op = SL_OP_LW, .rd = 5, .rs1 = 6, .imm = 8});
  assert_int_equal(sl_wide_decode(load, SETS).op, SL_OP_LW);
  assert_int_equal(sl_wide_decode(load | 1 << 7, SETS).op, SL_OP_LW_SHARED);
  assert_int_equal(sl_wide_decode(load | 2 << 7, SETS).op, SL_OP_UNKNOWN);
  assert_int_equal(sl_wide_decode(load | 1 << 7, SETS).width, 4);
  assert_int_equal(sl_wide_encode(&(struct sl_wide){.op = SL_OP_LW_SHARED, .rd = 5, .rs1 = 6, .imm = 8}),
                   load | 1 << 7);
}

static void invalid_words_are_unknown(void **state)
{
  (void)state;
  static const uint64_t words[] = {
      0,
      UINT64_MAX,
      0x0000000000000033 | 1 << 7,                        /* add with opext 1 */
      0x0000000000000013 | 3 << 7,                        /* addi with opext 3 */
      0x0000000000000012,                                 /* opcode bits 10, what opext 1 makes of 11 */
      UINT64_C(4) << 52 | 0x33,                           /* OP, funct7 4 */
      UINT64_C(0x100000) << 36 | 0x73,                    /* ecall with more immediate */
      UINT64_C(0x20) << 28 | UINT64_C(0x2c) << 52 | 0x53, /* fsqrt.s with rs2 = 32 */
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const struct sl_insn in = sl_wide_decode(words[i], SETS);
    if (in.op != SL_OP_UNKNOWN)
      fail_msg("word %zu decodes as %s", i, sl_op_info(in.op)->name);
    assert_int_equal(in.kind, SL_KIND_UNKNOWN);
  }
}

/* Section 3.2: 16 more arguments, 48 more saved, 32 more temporaries. */
static void registers_have_their_names(void **state)
{
  (void)state;
  static const struct {
    unsigned reg;
    const char *name;
  } names[] = {{0, "zero"}, {31, "t6"}, {32, "a8"},  {47, "a23"},  {48, "s12"},   {55, "s19"},   {56, "s20"},
               {95, "s59"}, {96, "t7"}, {99, "t10"}, {127, "t38"}, {128, "x128"}, {130, "x130"}, {255, "x255"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_string_equal(sl_wide_register_name(names[i].reg), names[i].name);
  for (unsigned a = 0; a < SL_WIDE_REGISTERS; a++)
    for (unsigned b = a + 1; b < SL_WIDE_REGISTERS; b++)
      assert_string_not_equal(sl_wide_register_name(a), sl_wide_register_name(b));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_words_are_unchanged), cmocka_unit_test(every_row_round_trips_with_its_fields),
      cmocka_unit_test(immediates_have_all_32_bits),   cmocka_unit_test(shared_accesses_have_opext_1),
      cmocka_unit_test(invalid_words_are_unknown),     cmocka_unit_test(registers_have_their_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
