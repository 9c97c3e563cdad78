/* The assembler of 64-bit words: every row from its listing, aliases as in GNU as, words that only this format has,
 * labels, addresses, and invalid texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/isa64/assembler/assembler64.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "cross.h"
#include "random.h"

static struct sl_assembly64 assemble(const char *text, struct sl_object64 *object)
{
  struct sl_assembly64 assembly;
  struct sl_error err;
  if (sl_assemble64(text, object, &assembly, &err) != SL_OK)
    fail_msg("%s", err.text);
  return assembly;
}

/* Assembles a text of one instruction without symbols. */
static struct sl_insn one(const char *text)
{
  struct sl_object64 object = {0};
  struct sl_assembly64 assembly = assemble(text, &object);
  assert_int_equal(assembly.count, 1);
  assert_int_equal(assembly.code[0].fix, SL_FIX_NONE);
  const struct sl_insn in = sl_wide_decode(sl_wide_encode(&assembly.code[0].insn), SL_WIDE_SETS);
  sl_assembly64_free(&assembly);
  sl_object64_free(&object);
  return in;
}

static void refuse(const char *text, const char *sentence)
{
  struct sl_object64 object = {0};
  struct sl_assembly64 assembly;
  struct sl_error err;
  assert_int_equal(sl_assemble64(text, &object, &assembly, &err), SL_USAGE);
  if (strstr(err.text, sentence) == NULL)
    fail_msg("'%s' does not say '%s'", err.text, sentence);
  sl_object64_free(&object);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static uint8_t random_mode(enum sl_format format, uint64_t *seed)
{
  static const uint8_t rounding[] = {0, 1, 2, 3, 4, 7};
  switch (format) {
  case SL_FORMAT_RM:
  case SL_FORMAT_R1M:
  case SL_FORMAT_R4M: return rounding[random_below(seed, 6)];
  case SL_FORMAT_A:
  case SL_FORMAT_AL: return (uint8_t)random_below(seed, 4);
  case SL_FORMAT_SPLIT:
  case SL_FORMAT_PRED: return (uint8_t)random_below(seed, 2);
  default: return 0;
  }
}

/* Fences need members in both sets: others have no text. */
static uint64_t random_word(unsigned op, uint64_t *seed)
{
  const uint32_t r = random32(seed), q = random32(seed);
  struct sl_wide wide = {.op = (enum sl_op)op,
                         .rd = (uint8_t)r,
                         .rs1 = (uint8_t)(r >> 8),
                         .rs2 = (uint8_t)(r >> 16),
                         .rs3 = (uint8_t)(r >> 24),
                         .mode = random_mode(sl_op_info(op)->format, seed),
                         .csr = (uint16_t)(q & 0xfff),
                         .imm = random32(seed)};
  if (op == SL_OP_FENCE)
    wide.imm = 0x11 | (wide.imm & 0xff);
  return sl_wide_encode(&wide);
}

/* Listings show jump targets in another way than assembly. */
static bool has_text(const struct sl_op_info *info)
{
  return ((unsigned)info->set & SL_WIDE_SETS) != 0 && info->kind != SL_KIND_JAL && info->kind != SL_KIND_BRANCH;
}

static void every_row_assembles_from_its_disassembly(void **state)
{
  (void)state;
  uint64_t seed = 9;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; i < 40 && has_text(sl_op_info(op)); i++) {
      const uint64_t word = random_word(op, &seed);
      char text[80];
      const struct sl_insn in = sl_wide_decode(word, SL_WIDE_SETS);
      sl_disassemble(&in, 0, text, sizeof text);
      if (one(text).word != word)
        fail_msg("'%s' is 0x%016llx and becomes 0x%016llx", text, (unsigned long long)word,
                 (unsigned long long)one(text).word);
    }
}

/* ---- as GNU as has it -------------------------------------------------------------------------------------------- */

static const char common_text[] = "nop\n li a0, 5\n li a1, -2048\n mv s1, fp\n not a0, a1\n neg t0, t1\n seqz a0, a1\n"
                                  "snez a0, a1\n sltz a0, a1\n sgtz a0, a1\n sgt a0, a1, a2\n sgtu a0, a1, a2\n"
                                  "beqz a0, 1f\n 1: bnez a1, 1b\n blez a0, 1b\n bgez a0, 1b\n bltz a0, 1b\n"
                                  "bgtz a0, 1b\n bgt a0, a1, 1b\n ble a0, a1, 1b\n bgtu a0, a1, 2f\n bleu a0, a1, 1b\n"
                                  "j 2f; jal 1b; jal t0, 2f # a comment\n 2: jr a0\n jalr a1\n jalr t0, a1\n"
                                  "jalr t0, 0(a1)\n ret\n csrr a0, mhartid\n csrw mscratch, t0\n csrs 0x340, t1\n"
                                  "csrc mscratch, t2 // another\n csrwi mscratch, 7\n csrsi mscratch, 31\n"
                                  "csrci mscratch, 0\n csrrw a0, mscratch, a1\n csrrw a0, mscratch, 3\n rdcycle a0\n"
                                  "rdinstreth a1 /* and\n one */\n frcsr a0\n fscsr a1\n fscsr a0, a1\n frrm a0\n"
                                  "fsrm a0\n fsflags a1\n frflags a2\n fence\n fence r, rw\n fence.i\n fence.tso\n"
                                  "lw a0, (sp)\n lw a0, -4 ( sp )\n lb x31, 2047(x1)\n sw zero, 0x10(gp)\n"
                                  "slli a0, a0, 3 * 4 + 1\n andi a0, a0, ~0xf\n addi a0, a0, (1 << 5) - 0x21\n"
                                  "ori a0, a0, 'A'\n xori a0, a0, 0b101 | 8\n lui t0, 0xfffff\n"
                                  "amoadd.w a0, a1, (a2)\n amoswap.w.aq a0, a1, (a2)\n lr.w.aqrl a0, (a1)\n"
                                  "sc.w.rl a0, a1, (a2)\n unimp\n ecall\n ebreak\n zext.b a0, a1\n"
                                  ".insn r 0x0B, 0, 0, x0, a0, x0\n .insn r CUSTOM_0, 2, 0, a0, a1, x1\n"
                                  ".insn i 0x13, 0, a0, a1, -3\n .insn i 0x03, 2, a0, 8(a1)\n"
                                  ".insn s 0x23, 2, a0, -8(a1)\n .insn sb 0x63, 0, a0, a1, 2b\n"
                                  ".insn u 0x37, a0, 0x12345\n .insn uj 0x6f, ra, 2b\n .insn 0x00b50533\n"
                                  ".insn 4, 0x40b50533\n tail 2b\n";

static void aliases_match_gnu_as(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  struct cross c;
  char path[2 * CROSS_PATH];
  struct sl_object64 stock, object = {0};
  struct sl_error err;
  cross_open(&c);
  cross_write(&c, "a.S", ".option norelax\n");
  FILE *file = fopen(cross_path(&c, "a.S", path), "a");
  assert_non_null(file);
  /* GNU as makes two words of a tail call; here it is one jump. */
  fprintf(file, "%.*sj 2b\n", (int)(strstr(common_text, " tail") - common_text), common_text);
  fclose(file);
  cross_run(&c, CROSS_GCC " -march=rv32ima_zicsr_zifencei_zfinx -mabi=ilp32 -c a.S");
  if (sl_rv32_object_read(cross_path(&c, "a.o", path), &stock, &err) != SL_OK)
    fail_msg("%s", err.text);
  struct sl_assembly64 own = assemble(common_text, &object);
  const struct sl_section64 *text = &stock.sections[0];
  assert_int_equal(own.count, text->code_count);
  for (size_t i = 0; i < own.count; i++) {
    char a[80], b[80];
    struct sl_code64 expected = text->code[i];
    if (expected.fix == SL_FIX_PC)
      expected.insn.imm = stock.symbols[expected.symbol].value + (uint32_t)expected.addend - (uint32_t)(8 * i);
    const struct sl_insn x = sl_wide_decode(sl_wide_encode(&expected.insn), SL_WIDE_SETS);
    const struct sl_insn y = sl_wide_decode(sl_wide_encode(&own.code[i].insn), SL_WIDE_SETS);
    sl_disassemble(&x, 0, a, sizeof a);
    sl_disassemble(&y, 0, b, sizeof b);
    if (x.word != y.word)
      fail_msg("instruction %zu: GNU as '%s', ours '%s'", i, a, b);
  }
  sl_assembly64_free(&own);
  sl_object64_free(&object);
  sl_object64_free(&stock);
  cross_close(&c);
}

/* ---- 64-bit words ------------------------------------------------------------------------------------------------ */

static void registers_and_immediates_have_64_bit_ranges(void **state)
{
  (void)state;
  const struct sl_insn add = one("add a23, s59, x255");
  assert_int_equal(add.rd, 47);
  assert_int_equal(add.rs1, 95);
  assert_int_equal(add.rs2, 255);
  assert_int_equal(one("li t38, 0x89abcdef").imm, 0x89abcdef);
  assert_int_equal(one("li t38, -2147483648").imm, 0x80000000);
  assert_int_equal(one("lw a0, -0x7fffe000(zero)").imm, 0x80002000);
  assert_int_equal(one("auipc a0, 0x12345678").imm, 0x12345678);
  assert_int_equal(one("lw.shared a8, 4(x200)").op, SL_OP_LW_SHARED);
  assert_int_equal(one("fmadd.s a8, a9, a10, a11").rs3, 35);
  assert_int_equal(
      sl_rounding_field(&(struct sl_insn){.word = one("fadd.s a8, a9, a10, rtz").word, .isa = SL_ISA_WIDE64}), 1);
}

/* The instructions of runtime/vortex.h, with registers that the 64-bit compiler chooses. */
static void insn_reaches_all_registers(void **state)
{
  (void)state;
  const struct sl_insn split = one(".insn r 0x0B, 2, 0, x200, a12, x1");
  assert_int_equal(split.op, SL_OP_SPLIT);
  assert_int_equal(split.rd, 200);
  assert_int_equal(split.rs1, 36);
  assert_true(sl_negates(&split));
  const struct sl_insn pred = one(".insn r 0x0B, 5, 0, x0, t38, s12");
  assert_int_equal(pred.op, SL_OP_PRED);
  assert_int_equal(pred.rs1, 127);
  assert_int_equal(pred.rs2, 48);
  assert_false(sl_negates(&pred));
  assert_int_equal(one(".insn i 0x13, 0, x64, x128, 0x12345").imm, 0x12345);
  refuse(".insn r 0x0B, 2, 0, a0, a1, x40", "this field cannot hold a register above x31");
}

static void addresses_become_relocations(void **state)
{
  (void)state;
  static const struct {
    enum sl_op op;
    enum sl_fix64 fix;
    int32_t addend;
  } expected[] = {{SL_OP_ADDI, SL_FIX_VALUE, 0},  {SL_OP_JAL, SL_FIX_PC, 0},   {SL_OP_LUI, SL_FIX_HIGH, 4},
                  {SL_OP_LW, SL_FIX_LOW, -4},     {SL_OP_LW, SL_FIX_VALUE, 8}, {SL_OP_BEQ, SL_FIX_PC, 0},
                  {SL_OP_LUI, SL_FIX_TP_HIGH, 0}, {SL_OP_SW, SL_FIX_TP_LOW, 0}};
  struct sl_object64 object = {0};
  uint32_t known;
  struct sl_error err;
  assert_int_equal(sl_object64_symbol(&object, "known", &known, &err), SL_OK);
  struct sl_assembly64 a = assemble("la a0, known\n call known\n lui a0, %hi(known+4)\n lw a0, %lo(known - 4)(a0)\n"
                                    "lw a0, known+8\n beqz a0, known\n lui a0, %tprel_hi(known)\n"
                                    "sw a0, %tprel_lo(known)(a0)\n tail new_one",
                                    &object);
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    assert_int_equal(a.code[i].insn.op, expected[i].op);
    assert_int_equal(a.code[i].fix, expected[i].fix);
    assert_int_equal(a.code[i].symbol, known);
    assert_int_equal(a.code[i].addend, expected[i].addend);
  }
  assert_int_equal(object.symbol_count, 2);
  assert_string_equal(object.symbols[a.code[8].symbol].name, "new_one");
  assert_int_equal(object.symbols[a.code[8].symbol].section, SL_UNDEFINED64);
  sl_assembly64_free(&a);
  sl_object64_free(&object);
}

static void labels_have_their_offsets(void **state)
{
  (void)state;
  struct sl_object64 object = {0};
  struct sl_assembly64 a = assemble("1: nop; j 1b; j 1f\n"
                                    "here: 1: bnez a0, here\n"
                                    "j 1b; j there\n"
                                    "there:",
                                    &object);
  const uint32_t expected[] = {0, (uint32_t)-8, 8, 0, (uint32_t)-8, 8};
  assert_int_equal(a.count, 6);
  for (size_t i = 0; i < a.count; i++)
    assert_int_equal(a.code[i].insn.imm, expected[i]);
  assert_int_equal(a.label_count, 4);
  assert_string_equal(a.labels[1].name, "here");
  assert_int_equal(a.labels[1].at, 3);
  assert_int_equal(a.labels[3].at, 6);
  assert_int_equal(object.symbol_count, 0);
  sl_assembly64_free(&a);
  sl_object64_free(&object);
}

static void a_text_can_be_assembled_to_words_only(void **state)
{
  (void)state;
  struct sl_object64 object = {0};
  struct sl_code64 *code;
  size_t count;
  assert_int_equal(sl_assemble64_words(NULL, "here: li a0, 3\n j here", &object, &code, &count, NULL), SL_OK);
  assert_int_equal(count, 2);
  assert_int_equal(code[1].insn.op, SL_OP_JAL);
  assert_int_equal((int32_t)code[1].insn.imm, -8);
  free(code);
  assert_int_equal(sl_assemble64_words(NULL, "what", &object, &code, &count, NULL), SL_USAGE);
  assert_null(code);
  assert_int_equal(count, 0);
  sl_object64_free(&object);
}

static void invalid_instructions_are_refused(void **state)
{
  (void)state;
  refuse("nop\nflw a0, 0(a1)", "\"flw a0, 0(a1)\": there is no such instruction");
  refuse("add a0, a1", "it has the wrong number of operands");
  refuse("add a0, a1, f2", "a register is expected");
  refuse("add a0, a1, x256", "a register is expected");
  refuse("addi a0, a1, a2", "a number or an address is expected");
  refuse("addi a0, a1, 0x100000000", "a number or an address is expected");
  refuse("addi a0, a1, 1 / 0", "a number or an address is expected");
  refuse("slli a0, a1, 32", "an amount from 0 to 31");
  refuse("lui a0, 0x100000", "a number of 20 bits");
  refuse("lui a0, name", "%hi(name)");
  refuse("csrr a0, nothing", "a CSR is expected");
  refuse("csrwi mscratch, 32", "a register or a number from 0 to 31");
  refuse("fence x, y", "sets of accesses");
  refuse("fadd.s a0, a1, a2, up", "a rounding mode");
  refuse("lr.w a0, 4(a1)", "an address in a register");
  refuse("j 2f", "there is no such label");
  refuse("here: la a0, here", "only jumps and branches can refer to labels");
  refuse("here: nop; here: nop", "the label here is defined twice");
  refuse(".word 5", "there is no such instruction");
  refuse(".insn r 0x0B, 7, 127, x0, x0, x0", "there is no such instruction");
  refuse(".insn q 1, 2, 3", "unknown format");
  refuse(".insn r 0x0B, 0, 0, x0", "it has the wrong number of operands");
  refuse(".insn r 0x80, 0, 0, x0, x0, x0", "an opcode and funct3 are expected");
  refuse(".insn i 0x13, 8, x0, x0, 0", "an opcode and funct3 are expected");
  refuse(".insn r 0x0B, 0, 128, x0, x0, x0", "funct3 and funct7 are expected");
  refuse(".insn r 0x0B, 0, 0, x0, q, x0", "a register is expected");
  refuse(".insn i 0x13, 0, q, a0, 0", "a register is expected");
  refuse(".insn i 0x03, 2, a0, a1", "a number or an address is expected");
  refuse(".insn i 0x73, 1, a0, a1, name", "a number or an address is expected");
  refuse(".insn s 0x23, 2, q, 0(a1)", "a register is expected");
  refuse(".insn b 0x63, 0, a0, q, 1f", "a register is expected");
  refuse(".insn u 0x37, q, 1", "a register is expected");
  refuse(".insn 8, 0x13", "an RV32 word has 4 bytes");
  refuse(".insn 0x0", "there is no such instruction");
  refuse("add.w a0, a1, a2", "there is no such instruction");
  refuse("c.nop", "there is no such instruction");
}

static void data_between_pushed_sections_is_a_section_of_the_unit(void **state)
{
  (void)state;
  struct sl_object64 object = {0};
  struct sl_assembly64 a = assemble("lla a0, 2f\n\ttail refuse\n"
                                    ".pushsection .rodata.places,\"aMS\",@progbits,1\n"
                                    "2:\t.asciz \"a;b#c:\\\"12\"\n.popsection\n1:nop",
                                    &object);
  assert_int_equal(a.count,
                   3); /* lla, tail, nop: the section in between contains no code, whatever its strings contain */
  assert_int_equal(object.section_count, 1);
  assert_string_equal(object.sections[0].name, ".rodata.places");
  assert_false(object.sections[0].writable);
  assert_int_equal(object.sections[0].size, sizeof "a;b#c:\"12");
  assert_memory_equal(object.sections[0].bytes, "a;b#c:\"12", sizeof "a;b#c:\"12");
  assert_int_equal(a.code[0].fix, SL_FIX_VALUE);
  const struct sl_symbol64 *label = &object.symbols[a.code[0].symbol];
  assert_int_equal(label->section, 0);
  assert_int_equal(label->value, 0);
  sl_assembly64_free(&a);
  a = assemble(".pushsection .data.x, \"aw\"; .byte 1; .half 0x302; there: .word -2; .ascii \"z\"; .popsection\n"
               "lw a0, there+1(zero)",
               &object);
  assert_true(object.sections[1].writable);
  assert_int_equal(object.sections[1].size, 8);
  assert_memory_equal(object.sections[1].bytes, "\1\2\3\xfe\xff\xff\xffz", 8);
  assert_int_equal(object.symbols[a.code[0].symbol].section, 1);
  assert_int_equal(object.symbols[a.code[0].symbol].value, 3);
  assert_int_equal(a.code[0].addend, 1);
  sl_assembly64_free(&a);
  sl_object64_free(&object);
  refuse(".pushsection .text.x, \"ax\"; nop; .popsection", "only sections of data");
  refuse(".pushsection .rodata", "only sections of data");
  refuse(".pushsection .rodata, \"a\"", ".pushsection without .popsection");
  refuse(".pushsection .rodata, \"a\"; .pushsection .rodata, \"a\"", "is still open");
  refuse(".pushsection .rodata, \"a\"; nop; .popsection", "only strings and numbers");
  refuse(".pushsection .rodata, \"a\"; .word here; .popsection", "a number is expected");
  refuse(".pushsection .rodata, \"a\"; .asciz 5; .popsection", "a string is expected");
  refuse(".pushsection .rodata, \"a\"; .asciz \"5", "the string has no end");
  refuse(".pushsection .rodata, \"a\"; .asciz \"5\" x; .popsection", "text after the string");
  refuse(".pushsection .rodata, \"a\"; .asciz \"\\q\"; .popsection", "an escape other than");
  refuse("j 1f; .pushsection .rodata, \"a\"; 1: .byte 1; .popsection", "a jump cannot go to data");
}

static void any_text_is_assembled_or_refused(void **state)
{
  (void)state;
  static const char letters[] = "addi lw(sp)x12,-+*/%<>()~'#:;.\n\t0b1f_$h%lo(";
  uint64_t seed = 21;
  for (unsigned i = 0; i < 20000; i++) {
    char text[64];
    const unsigned length = random_below(&seed, sizeof text - 1);
    for (unsigned k = 0; k < length; k++)
      text[k] = letters[random_below(&seed, sizeof letters - 1)];
    text[length] = '\0';
    struct sl_object64 object = {0};
    struct sl_assembly64 assembly;
    struct sl_error err;
    const enum sl_status code = sl_assemble64(text, &object, &assembly, &err);
    assert_true(code == SL_OK || code == SL_USAGE);
    if (code == SL_OK)
      sl_assembly64_free(&assembly);
    sl_object64_free(&object);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_assembles_from_its_disassembly),
      cmocka_unit_test(aliases_match_gnu_as),
      cmocka_unit_test(registers_and_immediates_have_64_bit_ranges),
      cmocka_unit_test(insn_reaches_all_registers),
      cmocka_unit_test(addresses_become_relocations),
      cmocka_unit_test(labels_have_their_offsets),
      cmocka_unit_test(a_text_can_be_assembled_to_words_only),
      cmocka_unit_test(invalid_instructions_are_refused),
      cmocka_unit_test(data_between_pushed_sections_is_a_section_of_the_unit),
      cmocka_unit_test(any_text_is_assembled_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
