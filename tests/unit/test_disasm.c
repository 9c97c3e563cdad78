/* Disassembly. The expected texts are those of GNU objdump 2.40 (-M no-aliases) for the same words, with floating-point
 * operands in integer registers (Zfinx) and branch targets as addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "isa/wide.h"
#include "random.h"
#include "words.h"

enum { PC = 0x08000400 };

struct line {
  uint32_t word;
  const char *text;
};

static void expect(const struct line *lines, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const struct sl_insn in = sl_decode(lines[i].word, simtight_sets());
    char text[64];
    assert_int_equal(sl_disassemble(&in, PC, text, sizeof text), strlen(lines[i].text));
    assert_string_equal(text, lines[i].text);
  }
}

#define EXPECT(lines) expect(lines, sizeof(lines) / sizeof(lines)[0])

static void registers_have_their_abi_names(void **state)
{
  (void)state;
  static const char names[] = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 "
                              "s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6";
  char all[128] = "";
  for (unsigned r = 0; r < 32; r++) {
    strcat(all, r ? " " : "");
    strcat(all, sl_isa(SL_ISA_RV32)->register_name(r));
  }
  assert_string_equal(all, names);
}

static void upper_immediates_print_unshifted(void **state)
{
  (void)state;
  static const struct line lines[] = {{0x123452b7, "lui\tt0,0x12345"}, {0xfffff317, "auipc\tt1,0xfffff"}};
  EXPECT(lines);
}

static void jumps_and_branches_print_their_target(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0x008000ef, "jal\tra,8000408"},      {0xff9ff06f, "jal\tzero,80003f8"},   {0x00c5d463, "bge\ta1,a2,8000408"},
      {0xfe0518e3, "bne\ta0,zero,80003f0"}, {0x00a5e263, "bltu\ta1,a0,8000404"}, {0x00b57ee3, "bgeu\ta0,a1,8000c1c"},
      {0x00008067, "jalr\tzero,0(ra)"},
  };
  EXPECT(lines);
}

/* Addresses wrap around at the top of the address space. */
static void targets_wrap_around(void **state)
{
  (void)state;
  char text[64];
  const struct sl_insn in = sl_decode(0x008000ef, simtight_sets());
  sl_disassemble(&in, 0xfffffffc, text, sizeof text);
  assert_string_equal(text, "jal\tra,4");
}

static void immediates_and_offsets_are_signed(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0xffc28313, "addi\tt1,t0,-4"}, {0x7ff00513, "addi\ta0,zero,2047"}, {0xff412283, "lw\tt0,-12(sp)"},
      {0x00c58503, "lb\ta0,12(a1)"},  {0x800fa0a3, "sw\tzero,-2047(t6)"}, {0xfe511e23, "sh\tt0,-4(sp)"},
      {0x00a58023, "sb\ta0,0(a1)"},
  };
  EXPECT(lines);
}

static void shift_amounts_are_hexadecimal(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0x01f29293, "slli\tt0,t0,0x1f"}, {0x40535313, "srai\tt1,t1,0x5"}, {0x0052d393, "srli\tt2,t0,0x5"}};
  EXPECT(lines);
}

static void register_operations_print_three_registers(void **state)
{
  (void)state;
  static const struct line lines[] = {{0x0055a0b3, "slt\tra,a1,t0"},
                                      {0x40b50533, "sub\ta0,a0,a1"},
                                      {0x02c5c533, "div\ta0,a1,a2"},
                                      {0x02d5b6b3, "mulhu\ta3,a1,a3"}};
  EXPECT(lines);
}

static void atomics_print_their_ordering(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0x00b5252f, "amoadd.w\ta0,a1,(a0)"},    {0x04b5252f, "amoadd.w.aq\ta0,a1,(a0)"},
      {0x02b5252f, "amoadd.w.rl\ta0,a1,(a0)"}, {0x06b5252f, "amoadd.w.aqrl\ta0,a1,(a0)"},
      {0xe0c5a52f, "amomaxu.w\ta0,a2,(a1)"},   {0x1005252f, "lr.w\ta0,(a0)"},
      {0x1405252f, "lr.w.aq\ta0,(a0)"},        {0x18b5252f, "sc.w\ta0,a1,(a0)"},
      {0x1eb5252f, "sc.w.aqrl\ta0,a1,(a0)"},
  };
  EXPECT(lines);
}

static void fences_print_their_sets(void **state)
{
  (void)state;
  static const struct line lines[] = {{0x0ff0000f, "fence\tiorw,iorw"},
                                      {0x0330000f, "fence\trw,rw"},
                                      {0x0010000f, "fence\tunknown,w"},
                                      {0x0000100f, "fence.i"}};
  EXPECT(lines);
}

static void csrs_have_names_or_numbers(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0xc00022f3, "csrrs\tt0,cycle,zero"},   {0xc80022f3, "csrrs\tt0,cycleh,zero"},
      {0xf1402573, "csrrs\ta0,mhartid,zero"}, {0x83005073, "csrrwi\tzero,0x830,0"},
      {0x8301d073, "csrrwi\tzero,0x830,3"},   {0x83129073, "csrrw\tzero,0x831,t0"},
      {0x8242e2f3, "csrrsi\tt0,0x824,5"},     {0xfff53573, "csrrc\ta0,0xfff,a0"},
  };
  EXPECT(lines);
}

static void rounding_modes_print_unless_dynamic(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0x00c5f553, "fadd.s\ta0,a1,a2"},     {0x00c58553, "fadd.s\ta0,a1,a2,rne"}, {0x18c5c553, "fdiv.s\ta0,a1,a2,rmm"},
      {0x58057553, "fsqrt.s\ta0,a0"},       {0x58054553, "fsqrt.s\ta0,a0,rmm"},   {0xc0051553, "fcvt.w.s\ta0,a0,rtz"},
      {0xc0150553, "fcvt.wu.s\ta0,a0,rne"}, {0xd0057553, "fcvt.s.w\ta0,a0"},      {0xd0150553, "fcvt.s.wu\ta0,a0,rne"},
  };
  EXPECT(lines);
}

static void exact_float_operations_print_no_rounding_mode(void **state)
{
  (void)state;
  static const struct line lines[] = {{0x28c58553, "fmin.s\ta0,a1,a2"},
                                      {0x28c59553, "fmax.s\ta0,a1,a2"},
                                      {0x20c58553, "fsgnj.s\ta0,a1,a2"},
                                      {0x20c5a553, "fsgnjx.s\ta0,a1,a2"},
                                      {0xa0c5a553, "feq.s\ta0,a1,a2"}};
  EXPECT(lines);
}

static void instructions_without_operands_are_a_name(void **state)
{
  (void)state;
  static const struct line lines[] = {{0x00000073, "ecall"}, {0x00100073, "ebreak"}};
  EXPECT(lines);
}

/* objdump does not support these. */
static void custom_instructions_print_too(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0x00050009, "simt.push"}, {0x00051009, "simt.pop"}, {0x00050008, "cache.flush\ta0"}};
  EXPECT(lines);
}

static void warp_control_has_the_names_of_its_library(void **state)
{
  (void)state;
  static const struct {
    uint32_t word;
    enum sl_isa_set set;
    const char *text;
  } lines[] = {{0x0002800b, SL_ISA_WARP2, "vx_tmc\tt0"},
               {0x0062900b, SL_ISA_WARP2, "vx_wspawn\tt0,t1"},
               {0x0002a38b, SL_ISA_WARP2, "vx_split\tt2,t0"},
               {0x0012a38b, SL_ISA_WARP2, "vx_split_n\tt2,t0"},
               {0x0003b00b, SL_ISA_WARP2, "vx_join\tt2"},
               {0x0062c00b, SL_ISA_WARP2, "vx_bar\tt0,t1"},
               {0x0062d00b, SL_ISA_WARP2, "vx_pred\tt0,t1"},
               {0x0062d08b, SL_ISA_WARP2, "vx_pred_n\tt0,t1"},
               {0x0002806b, SL_ISA_WARP1, "vx1_tmc\tt0"},
               {0x0012806b, SL_ISA_WARP1, "vx1_pred\tt0"},
               {0x0000306b, SL_ISA_WARP1, "vx1_join"},
               {0x0002d06b, SL_ISA_WARP1, "vx1_prefetch\tt0"},
               {0x3862955b, SL_ISA_WARP1, "vx1_cmov\ta0,t0,t1,t2"}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    const struct sl_insn in = sl_decode(lines[i].word, lines[i].set);
    char text[64];
    sl_disassemble(&in, PC, text, sizeof text);
    assert_string_equal(text, lines[i].text);
  }
}

static void linear_registers_print_by_number(void **state)
{
  (void)state;
  static const struct {
    enum sl_op op;
    struct sl_linear_fields fields;
    const char *text;
  } lines[] = {
      {SL_OP_R2_USE, {.s1 = 1}, "r2.use\t-,s0,-"},
      {SL_OP_R2_USE, {.ur = 31, .s1 = 63, .s2 = 4}, "r2.use\tur30,s62,s3"},
      {SL_OP_R2_CR, {.cr = 254}, "r2.cr\tcr254"},
      {SL_OP_R2_MAD_TR, {.tr = 15, .dimension = 2, .cr = 40}, "r2.mad.tr\ttr15,tid.z,cr40"},
      {SL_OP_R2_MADI_TR, {.tr = 3, .dimension = 1, .number = -4, .adds = true}, "r2.madi.tr\ttr3,tid.y,-4,tr3"},
      {SL_OP_R2_MOV_BR, {0}, "r2.mov.br"},
      {SL_OP_R2_MAD_BR, {.dimension = 1, .slice = 2}, "r2.mad.br\tctaid.y,cr32"},
      {SL_OP_R2_END, {0}, "r2.end"},
      {SL_OP_R2_FORM, {.words = 13}, "r2.form\t13"}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    const struct sl_insn in = sl_decode(sl_linear_word(lines[i].op, &lines[i].fields), SL_ISA_LINEAR);
    char text[64];
    sl_disassemble(&in, PC, text, sizeof text);
    assert_string_equal(text, lines[i].text);
  }
}

static void unknown_words_print_as_data(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {0x00000000, ".word\t0x00000000"}, {0xffffffff, ".word\t0xffffffff"}, {0x00003003, ".word\t0x00003003"}};
  EXPECT(lines);
}

static void a_short_buffer_gets_the_beginning(void **state)
{
  (void)state;
  const struct sl_insn in = sl_decode(0x02c5c533, simtight_sets());
  const char full[] = "div\ta0,a1,a2";
  for (size_t size = 1; size < sizeof full + 2; size++) {
    char text[32];
    memset(text, '?', sizeof text);
    const size_t length = sl_disassemble(&in, PC, text, size);
    assert_int_equal(length, size < sizeof full ? size - 1 : sizeof full - 1);
    assert_memory_equal(text, full, length);
    assert_int_equal(text[length], '\0');
    assert_int_equal(text[size < sizeof full ? size : sizeof full], '?'); /* no byte after the end */
  }
}

static void every_row_prints_its_name_first(void **state)
{
  (void)state;
  uint64_t seed = 9;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    for (unsigned i = 0; i < 50 && info->set != SL_ISA_WIDE; i++) {
      const struct sl_insn in = sl_decode(info->match | (random32(&seed) & ~info->mask), info->set);
      char text[64];
      const size_t length = sl_disassemble(&in, random32(&seed), text, sizeof text);
      assert_int_equal(length, strlen(text));
      assert_true(length < sizeof text - 1);
      assert_memory_equal(text, info->name, strlen(info->name));
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_have_their_abi_names),
      cmocka_unit_test(upper_immediates_print_unshifted),
      cmocka_unit_test(jumps_and_branches_print_their_target),
      cmocka_unit_test(targets_wrap_around),
      cmocka_unit_test(immediates_and_offsets_are_signed),
      cmocka_unit_test(shift_amounts_are_hexadecimal),
      cmocka_unit_test(register_operations_print_three_registers),
      cmocka_unit_test(atomics_print_their_ordering),
      cmocka_unit_test(fences_print_their_sets),
      cmocka_unit_test(csrs_have_names_or_numbers),
      cmocka_unit_test(rounding_modes_print_unless_dynamic),
      cmocka_unit_test(exact_float_operations_print_no_rounding_mode),
      cmocka_unit_test(instructions_without_operands_are_a_name),
      cmocka_unit_test(custom_instructions_print_too),
      cmocka_unit_test(warp_control_has_the_names_of_its_library),
      cmocka_unit_test(linear_registers_print_by_number),
      cmocka_unit_test(unknown_words_print_as_data),
      cmocka_unit_test(a_short_buffer_gets_the_beginning),
      cmocka_unit_test(every_row_prints_its_name_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
