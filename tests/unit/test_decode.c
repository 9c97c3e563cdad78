/* Decoding: every row of the instruction table, the fields of every format, extension sets, and invalid words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "random.h"
#include "words.h"

static void every_row_decodes_to_itself_with_any_operands(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    assert_int_equal(info->match & ~info->mask, 0);
    if (info->set == SL_ISA_WIDE)
      continue; /* test_wide.c */
    for (unsigned i = 0; i < 200; i++) {
      const uint32_t word = info->match | (random32(&seed) & ~info->mask);
      const struct sl_insn in = sl_decode(word, info->set);
      if (in.op != op)
        fail_msg("0x%08x, a %s, decodes as %s", word, info->name, sl_op_info(in.op)->name);
      assert_int_equal(in.kind, info->kind);
      assert_int_equal(in.word, word);
    }
  }
}

/* The order of the rows does not matter. */
static void no_word_matches_two_rows(void **state)
{
  (void)state;
  for (unsigned a = SL_OP_UNKNOWN + 1; a < SL_OP_COUNT; a++)
    for (unsigned b = a + 1; b < SL_OP_COUNT; b++) {
      const struct sl_op_info *x = sl_op_info(a), *y = sl_op_info(b);
      if (((x->match ^ y->match) & x->mask & y->mask) == 0)
        fail_msg("%s and %s overlap", x->name, y->name);
    }
}

static void names_are_unique(void **state)
{
  (void)state;
  for (unsigned a = SL_OP_UNKNOWN; a < SL_OP_COUNT; a++)
    for (unsigned b = a + 1; b < SL_OP_COUNT; b++)
      assert_string_not_equal(sl_op_info(a)->name, sl_op_info(b)->name);
}

static void a_row_decodes_only_with_its_extension(void **state)
{
  (void)state;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    for (unsigned set = 1; set != 0 && info->set != SL_ISA_WIDE; set <<= 1)
      assert_int_equal(sl_decode(info->match, set).op, (unsigned)info->set & set ? op : SL_OP_UNKNOWN);
    assert_int_equal(sl_decode(info->match, ~(unsigned)info->set).op, SL_OP_UNKNOWN);
  }
}

static void invalid_words_are_unknown(void **state)
{
  (void)state;
  static const uint32_t words[] = {
      0x00000000, 0xffffffff, 0x00000001, /* c.nop: no compressed instructions */
      0x00003003,                         /* ld */
      0x00006003,                         /* lwu */
      0x00003023,                         /* sd */
      0x02001013,                         /* slli with a sixth shift bit */
      0x42005013,                         /* srai with one */
      0x80000033,                         /* add with another funct7 */
      0x04000033, 0x40001033, 0x00002063, /* branch, funct3 2 */
      0x00003063, 0x00001067,             /* jalr, funct3 1 */
      0x0000001b,                         /* addiw */
      0x0000003b,                         /* addw */
      0x30200073,                         /* mret */
      0x10500073,                         /* wfi */
      0x00200073,                         /* uret */
      0x00004073,                         /* SYSTEM, funct3 4 */
      0x0000302f,                         /* amoadd.d */
      0x2800202f,                         /* AMO, unused funct5 */
      0x1010202f,                         /* lr.w with rs2 */
      0x00000043,                         /* fmadd.s */
      0x00002007,                         /* flw */
      0x02000053,                         /* fadd.d */
      0xe0001053,                         /* fclass.s */
      0x58100053,                         /* fsqrt.s with rs2 = 1 */
      0xc0200053,                         /* fcvt.l.s */
      0x20003053,                         /* FSGNJ, funct3 3 */
      0x00002009, 0x00001008,
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const struct sl_insn in = sl_decode(words[i], simtight_sets());
    if (in.op != SL_OP_UNKNOWN)
      fail_msg("0x%08x decodes as %s", words[i], sl_op_info(in.op)->name);
    assert_int_equal(in.kind, SL_KIND_UNKNOWN);
    assert_int_equal(in.word, words[i]);
  }
}

/* SIMTight's published kernel library writes push and pop with x10 as rs1; rd and rs fields are ignored. */
static void custom_instructions_have_the_published_words(void **state)
{
  (void)state;
  assert_int_equal(sl_decode(0x00050009, simtight_sets()).op, SL_OP_PUSH);
  assert_int_equal(sl_decode(0x00051009, simtight_sets()).op, SL_OP_POP);
  assert_int_equal(sl_decode(0x00050008, simtight_sets()).op, SL_OP_FLUSH);
  assert_int_equal(sl_decode(0x00050008, simtight_sets()).rs1, 10);
}

static void an_op_out_of_range_is_unknown(void **state)
{
  (void)state;
  assert_ptr_equal(sl_op_info(SL_OP_COUNT), sl_op_info(SL_OP_UNKNOWN));
  assert_ptr_equal(sl_op_info(UINT32_MAX), sl_op_info(SL_OP_UNKNOWN));
}

static void registers_come_from_their_fields(void **state)
{
  (void)state;
  for (unsigned r = 0; r < 32; r++) {
    const struct sl_insn in = sl_decode(word_r(SL_OP_ADD, r, (r + 1) % 32, (r + 2) % 32), SL_ISA_I);
    assert_int_equal(in.rd, r);
    assert_int_equal(in.rs1, (r + 1) % 32);
    assert_int_equal(in.rs2, (r + 2) % 32);
  }
}

static uint32_t immediate(uint32_t word)
{
  return sl_decode(word, simtight_sets()).imm;
}

/* The fields that name f registers if these are separate (manual, chapter 24): 1 rs1, 2 rs2, 4 rd, 8 rs3. */
static unsigned float_fields(enum sl_op op)
{
  switch (op) {
  case SL_OP_FMADD:
  case SL_OP_FMSUB:
  case SL_OP_FNMSUB:
  case SL_OP_FNMADD: return 15;
  case SL_OP_FLW:
  case SL_OP_FMV_W_X:
  case SL_OP_FCVT_S_W:
  case SL_OP_FCVT_S_WU: return 4;
  case SL_OP_FMV_X_W:
  case SL_OP_FCLASS:
  case SL_OP_FCVT_W_S:
  case SL_OP_FCVT_WU_S: return 1;
  case SL_OP_FSW: return 2;
  case SL_OP_FSQRT: return 5;
  case SL_OP_FEQ:
  case SL_OP_FLT:
  case SL_OP_FLE: return 3;
  default: return 7;
  }
}

/* Unused fields do not matter. */
static void separate_registers_start_at_32(void **state)
{
  (void)state;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    if (((unsigned)info->set & SL_ISA_F) == 0)
      continue;
    const uint32_t word = (info->match | (0x88000000 & ~info->mask)) | 3 << 7 | 5 << 15 | (7 << 20 & ~info->mask);
    const struct sl_insn in = sl_decode(word, SL_ISA_F);
    const unsigned f = float_fields((enum sl_op)op);
    assert_int_equal(in.op, op);
    if (sl_writes_rd(&in))
      assert_int_equal(in.rd, f & 4 ? 35 : 3);
    assert_int_equal(in.rs1, f & 1 ? 37 : 5);
    if (sl_reads_rs2(&in))
      assert_int_equal(in.rs2, f & 2 ? 39 : 7);
    assert_int_equal(sl_reads_rs3(&in), (f & 8) != 0);
    if (sl_reads_rs3(&in))
      assert_int_equal(in.rs3, 32 + 17);
  }
}

/* With Zfinx registers are integer registers; there are no separate loads, stores and moves. */
static void zfinx_has_integer_registers_only(void **state)
{
  (void)state;
  static const unsigned sets[] = {SL_ISA_ZFINX, SL_ISA_ZFINX | SL_ISA_F, SL_ISA_SIMT_FPU, ~0u};
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    const struct sl_insn add = sl_decode(sl_op_info(SL_OP_FADD)->match | 3 << 7 | 5 << 15 | 7 << 20, sets[i]);
    assert_int_equal(add.op, SL_OP_FADD);
    assert_int_equal(add.rd, 3);
    assert_int_equal(add.rs1, 5);
    assert_int_equal(add.rs2, 7);
    assert_int_equal(sl_decode(sl_op_info(SL_OP_FLW)->match, sets[i]).op, SL_OP_UNKNOWN);
    assert_int_equal(sl_decode(sl_op_info(SL_OP_FMV_X_W)->match, sets[i]).op, SL_OP_UNKNOWN);
    const struct sl_insn fused = sl_decode(sl_op_info(SL_OP_FMADD)->match | 17u << 27, sets[i]);
    assert_int_equal(fused.op, sets[i] & SL_ISA_ZFINX ? SL_OP_FMADD : SL_OP_UNKNOWN);
    assert_true(fused.op == SL_OP_UNKNOWN || fused.rs3 == 17);
  }
}

/* Section 2.3 of the manual, encoded the other way round by words.h. */
static void immediates_are_sign_extended(void **state)
{
  (void)state;
  for (int i = -2048; i < 2048; i++) {
    assert_int_equal(immediate(word_i(SL_OP_ADDI, 1, 2, i)), (uint32_t)i);
    assert_int_equal(immediate(word_i(SL_OP_LW, 1, 2, i)), (uint32_t)i);
    assert_int_equal(immediate(word_i(SL_OP_JALR, 1, 2, i)), (uint32_t)i);
    assert_int_equal(immediate(word_s(SL_OP_SW, 1, 2, i)), (uint32_t)i);
    assert_int_equal(immediate(word_b(SL_OP_BEQ, 1, 2, 2 * i)), (uint32_t)(2 * i));
  }
  for (int i = -(1 << 20); i < 1 << 20; i += 2)
    if (immediate(word_j(SL_OP_JAL, 1, i)) != (uint32_t)i)
      fail_msg("jal %d", i);
  for (uint32_t i = 0; i < 1u << 20; i += 1021)
    assert_int_equal(immediate(word_u(SL_OP_LUI, 1, i)), i << 12);
}

static void shift_amounts_and_csr_immediates_are_not_extended(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(immediate(word_r(SL_OP_SRAI, 1, 2, i)), i);
    assert_int_equal(immediate(word_csr(SL_OP_CSRRWI, 1, 0x830, i)), i);
  }
}

static void csr_numbers_are_twelve_bits(void **state)
{
  (void)state;
  for (unsigned csr = 0; csr < 4096; csr++)
    assert_int_equal(sl_decode(word_csr(SL_OP_CSRRS, 1, csr, 31), simtight_sets()).csr, csr);
}

static void memory_accesses_have_their_width(void **state)
{
  (void)state;
  static const struct {
    enum sl_op op;
    unsigned width;
  } rows[] = {{SL_OP_LB, 1}, {SL_OP_LBU, 1}, {SL_OP_SB, 1},  {SL_OP_LH, 2},     {SL_OP_LHU, 2},
              {SL_OP_SH, 2}, {SL_OP_LW, 4},  {SL_OP_SW, 4},  {SL_OP_AMOADD, 4}, {SL_OP_LR, 4},
              {SL_OP_SC, 4}, {SL_OP_ADD, 0}, {SL_OP_JAL, 0}, {SL_OP_BEQ, 0},    {SL_OP_FENCE, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_int_equal(sl_decode(sl_op_info(rows[i].op)->match, simtight_sets()).width, rows[i].width);
}

/* The register fields of each major opcode (manual, chapter 24): 1 rs1, 2 rs2, 4 rd. */
static unsigned used_fields(uint32_t word)
{
  const unsigned funct3 = word >> 12 & 7, funct5 = word >> 27;
  switch (word & 0x7f) {
  case 0x37:
  case 0x17:
  case 0x6f: return 4; /* lui, auipc, jal */
  case 0x67:
  case 0x03:
  case 0x07:
  case 0x13: return 4 | 1; /* jalr, loads, immediates */
  case 0x63:
  case 0x27:
  case 0x23: return 2 | 1; /* branches, stores */
  case 0x33:
  case 0x43:
  case 0x47:
  case 0x4b:
  case 0x4f: return 4 | 2 | 1;
  case 0x2f: return funct5 == 2 ? 4 | 1 : 7; /* lr */
  case 0x73: return funct3 == 0 ? 0 : funct3 < 4 ? 4 | 1 : 4;
  case 0x53: return funct5 == 0x0b || funct5 >= 0x18 ? 4 | 1 : 7; /* sqrt, conversions */
  case 0x08: return 1;
  case 0x0b:
    if (word >> 25 == 1) /* votes and shuffles */
      return funct3 < 4 ? 4 | 1 : 7;
    if (word >> 25 == 7) /* wait for lanes */
      return 2 | 1;
    if (word >> 25 >= 5) /* yield, and barriers of lanes, whose number is in the word */
      return 0;
    return funct3 == 2 ? 4 | 1 : funct3 == 0 || funct3 == 3 ? 1 : 2 | 1;      /* split; tmc, join */
  case 0x6b: return funct3 == 3 ? 0 : funct3 == 1 || funct3 == 4 ? 2 | 1 : 1; /* join; wspawn, bar */
  case 0x5b: return 7;
  default: return 0; /* fences, push, pop */
  }
}

static void register_use_follows_the_opcode(void **state)
{
  (void)state;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_insn in = sl_decode(sl_op_info(op)->match, sl_op_info(op)->set);
    const unsigned used =
        (unsigned)sl_reads_rs1(&in) | (unsigned)sl_reads_rs2(&in) << 1 | (unsigned)sl_writes_rd(&in) << 2;
    if (used != used_fields((uint32_t)in.word))
      fail_msg("%s uses %u, should %u", sl_op_info(op)->name, used, used_fields((uint32_t)in.word));
  }
  const struct sl_insn unknown = sl_decode(0, simtight_sets());
  assert_false(sl_reads_rs1(&unknown) || sl_reads_rs2(&unknown) || sl_writes_rd(&unknown));
}

/* Section 4 of the specification: only multiplier, divider, FPU and memory may be busy. */
static void only_units_can_make_an_instruction_wait(void **state)
{
  (void)state;
  static const enum sl_op wait[] = {SL_OP_MUL, SL_OP_SLLI, SL_OP_SRA, SL_OP_DIVU,  SL_OP_FADD,
                                    SL_OP_FEQ, SL_OP_LB,   SL_OP_SW,  SL_OP_AMOOR, SL_OP_FENCE};
  static const enum sl_op do_not[] = {SL_OP_ADD,  SL_OP_LUI,  SL_OP_SLT, SL_OP_BEQ,   SL_OP_JAL,
                                      SL_OP_JALR, SL_OP_PUSH, SL_OP_POP, SL_OP_CSRRW, SL_OP_FSGNJ};
  for (size_t i = 0; i < sizeof wait / sizeof wait[0]; i++)
    assert_true(sl_kind_needs_unit(sl_op_info(wait[i])->kind));
  for (size_t i = 0; i < sizeof do_not / sizeof do_not[0]; i++)
    assert_false(sl_kind_needs_unit(sl_op_info(do_not[i])->kind));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_decodes_to_itself_with_any_operands),
      cmocka_unit_test(no_word_matches_two_rows),
      cmocka_unit_test(names_are_unique),
      cmocka_unit_test(a_row_decodes_only_with_its_extension),
      cmocka_unit_test(invalid_words_are_unknown),
      cmocka_unit_test(custom_instructions_have_the_published_words),
      cmocka_unit_test(an_op_out_of_range_is_unknown),
      cmocka_unit_test(registers_come_from_their_fields),
      cmocka_unit_test(separate_registers_start_at_32),
      cmocka_unit_test(zfinx_has_integer_registers_only),
      cmocka_unit_test(immediates_are_sign_extended),
      cmocka_unit_test(shift_amounts_and_csr_immediates_are_not_extended),
      cmocka_unit_test(csr_numbers_are_twelve_bits),
      cmocka_unit_test(memory_accesses_have_their_width),
      cmocka_unit_test(register_use_follows_the_opcode),
      cmocka_unit_test(only_units_can_make_an_instruction_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
