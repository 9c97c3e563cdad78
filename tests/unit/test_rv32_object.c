/* Translation of RV32 objects of stock tools: code, relocations, symbols and lines, refused objects with messages, and
 * damaged files, which never crash it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "cross.h"
#include "program/program.h"
#include "random.h"

#define ASSEMBLE CROSS_GCC " -march=rv32ima_zicsr -mabi=ilp32 -c a.S -o a.o"

/* The object that the command makes from the text. */
static enum sl_status translate(const char *file, const char *text, const char *command, struct sl_object64 *object,
                                struct sl_error *err)
{
  struct cross c;
  char path[2 * CROSS_PATH];
  cross_open(&c);
  cross_write(&c, file, text);
  cross_run(&c, command);
  const enum sl_status code = sl_rv32_object_read(cross_path(&c, "a.o", path), object, err);
  cross_close(&c);
  return code;
}

static struct sl_object64 assemble(const char *text)
{
  struct sl_object64 object;
  struct sl_error err;
  if (translate("a.S", text, ASSEMBLE, &object, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_object64_check(&object, &err), SL_OK);
  return object;
}

static void refuse(const char *text, const char *command, const char *sentence)
{
  struct sl_object64 object;
  struct sl_error err;
  if (translate("a.S", text, command, &object, &err) == SL_OK)
    fail_msg("accepted what should be refused with '%s'", sentence);
  if (strstr(err.text, sentence) == NULL)
    fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static const struct sl_section64 *section(const struct sl_object64 *object, const char *name)
{
  for (size_t i = 0; i < object->section_count; i++)
    if (strcmp(object->sections[i].name, name) == 0)
      return &object->sections[i];
  fail_msg("no section %s", name);
  return NULL;
}

static const struct sl_symbol64 *symbol(const struct sl_object64 *object, const char *name)
{
  uint32_t i;
  assert_true(sl_object64_find(object, name, &i));
  return &object->symbols[i];
}

static void expect(const struct sl_object64 *object, const struct sl_code64 *code, enum sl_op op, enum sl_fix64 fix,
                   const char *name, int32_t addend)
{
  assert_int_equal(code->insn.op, op);
  assert_int_equal(code->fix, fix);
  assert_int_equal(code->addend, addend);
  if (fix != SL_FIX_NONE)
    assert_string_equal(object->symbols[code->symbol].name, name);
  else
    assert_null(name);
}

static bool have_gcc(void)
{
  return cross_has(CROSS_GCC);
}

/* Twice the bytes and offsets, also in data that refers to code. */
static void offsets_in_code_double(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  struct sl_object64 o = assemble(".option norelax\n"
                                  ".globl f\n"
                                  ".type f, @function\n"
                                  "f: nop\n"
                                  "beqz a0, 1f\n"
                                  "nop\n"
                                  "1: j f\n"
                                  ".size f, . - f\n"
                                  "g: ret\n"
                                  ".section .rodata\n"
                                  ".word g, f + 8, data + 8, 1b - f\n"
                                  ".data\n"
                                  "data: .word 1, 2, 3\n");
  const struct sl_section64 *text = section(&o, ".text"), *rodata = section(&o, ".rodata");
  assert_int_equal(text->code_count, 5);
  assert_int_equal(text->size, 40);
  assert_int_equal(symbol(&o, "f")->size, 32);
  assert_int_equal(symbol(&o, "g")->value, 32);
  assert_int_equal(symbol(&o, "data")->value, 0);
  /* Distances may or may not have a relocation, depending on the assembler. */
  const struct sl_code64 *branch = &text->code[1], *jump = &text->code[3];
  assert_int_equal(
      branch->fix == SL_FIX_PC ? o.symbols[branch->symbol].value + (uint32_t)branch->addend - 8 : branch->insn.imm, 16);
  assert_int_equal(jump->fix == SL_FIX_PC ? o.symbols[jump->symbol].value + (uint32_t)jump->addend - 24
                                          : jump->insn.imm,
                   (uint32_t)-24);
  assert_true(rodata->fix_count >= 3);
  const int32_t expected[] = {32, 16, 8};
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(rodata->fixes[i].fix, SL_FIX_WORD);
    assert_int_equal((int32_t)o.symbols[rodata->fixes[i].symbol].value + rodata->fixes[i].addend, expected[i]);
  }
  sl_object64_free(&o);
}

static void addresses_become_relocations(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  struct sl_object64 o = assemble("lui a0, %hi(far + 4)\n"
                                  "lw a1, %lo(far + 4)(a0)\n"
                                  "sw a1, %lo(far)(a0)\n"
                                  "lla a2, near\n"
                                  "call f\n"
                                  "tail g\n"
                                  "lui t0, %tprel_hi(own)\n"
                                  "add t0, t0, tp, %tprel_add(own)\n"
                                  "lw t1, %tprel_lo(own)(t0)\n"
                                  "bnez a0, h\n"
                                  "jal h\n");
  const struct sl_code64 *c = section(&o, ".text")->code;
  expect(&o, &c[0], SL_OP_LUI, SL_FIX_HIGH, "far", 4);
  expect(&o, &c[1], SL_OP_LW, SL_FIX_LOW, "far", 4);
  expect(&o, &c[2], SL_OP_SW, SL_FIX_LOW, "far", 0);
  expect(&o, &c[3], SL_OP_AUIPC, SL_FIX_PC, "near", 0);
  expect(&o, &c[4], SL_OP_ADDI, SL_FIX_NONE, NULL, 0);
  expect(&o, &c[5], SL_OP_AUIPC, SL_FIX_PC, "f", 0);
  expect(&o, &c[6], SL_OP_JALR, SL_FIX_NONE, NULL, 0);
  expect(&o, &c[7], SL_OP_AUIPC, SL_FIX_PC, "g", 0);
  expect(&o, &c[9], SL_OP_LUI, SL_FIX_TP_HIGH, "own", 0);
  expect(&o, &c[10], SL_OP_ADD, SL_FIX_NONE, NULL, 0);
  expect(&o, &c[11], SL_OP_LW, SL_FIX_TP_LOW, "own", 0);
  assert_int_equal(c[4].insn.imm, 0);
  assert_int_equal(c[6].insn.imm, 0);
  sl_object64_free(&o);
}

/* Assemblers leave padding to align code, and their linkers remove the excess; here it stays. */
static void padding_is_kept(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  struct sl_object64 o = assemble("ret\n.balign 16\nf: j f\n");
  const struct sl_section64 *text = section(&o, ".text");
  assert_int_equal(symbol(&o, "f")->value, (text->code_count - 1) * SL_WIDE_BYTES);
  assert_true(text->code_count > 2);
  for (size_t i = 1; i + 1 < text->code_count; i++)
    expect(&o, &text->code[i], SL_OP_ADDI, SL_FIX_NONE, NULL, 0);
  sl_object64_free(&o);
}

/* The first instruction holds the address of the table's entry, and the load becomes a copy. */
static void address_tables_are_optional(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  struct sl_object64 o = assemble(".option pic\n"
                                  "la a0, far\n"
                                  "la.tls.ie a1, own\n");
  const struct sl_code64 *c = section(&o, ".text")->code;
  expect(&o, &c[0], SL_OP_ADDI, SL_FIX_VALUE, "far", 0);
  expect(&o, &c[1], SL_OP_ADDI, SL_FIX_NONE, NULL, 0);
  expect(&o, &c[2], SL_OP_ADDI, SL_FIX_TP, "own", 0);
  expect(&o, &c[3], SL_OP_ADDI, SL_FIX_NONE, NULL, 0);
  assert_int_equal(c[0].insn.rs1, 0);
  assert_int_equal(c[1].insn.rs1, 10);
  sl_object64_free(&o);
}

static void symbols_and_sections_keep_their_attributes(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  struct sl_object64 o = assemble(".weak f\n"
                                  ".type f, @function\n"
                                  "f: ret\n"
                                  ".comm shared, 24, 8\n"
                                  ".section .text.g, \"axG\", @progbits, group, comdat\n"
                                  "g: ret\n"
                                  ".section .init_array.00200, \"aw\", @init_array\n"
                                  ".word f\n"
                                  ".section .tbss, \"awT\", @nobits\n"
                                  ".balign 16\n"
                                  "own: .zero 12\n"
                                  ".section .eh_frame, \"a\", @progbits\n"
                                  ".word 0\n"
                                  ".section .rest, \"aR\", @progbits\n"
                                  ".word 0\n");
  assert_true(symbol(&o, "f")->weak && symbol(&o, "f")->global && symbol(&o, "f")->function);
  assert_int_equal(symbol(&o, "shared")->section, SL_COMMON64);
  assert_int_equal(symbol(&o, "shared")->value, 8);
  assert_int_equal(symbol(&o, "shared")->size, 24);
  assert_string_equal(section(&o, ".text.g")->group, "group");
  assert_null(section(&o, ".text")->group);
  assert_true(section(&o, ".init_array.00200")->keep);
  assert_true(section(&o, ".rest")->keep);
  assert_true(section(&o, ".tbss")->thread_local_data);
  assert_int_equal(section(&o, ".tbss")->alignment, 16);
  assert_int_equal(section(&o, ".tbss")->size, 12);
  assert_null(section(&o, ".tbss")->bytes);
  for (size_t i = 0; i < o.section_count; i++)
    assert_string_not_equal(o.sections[i].name, ".eh_frame");
  sl_object64_free(&o);
}

/* Each function has its own section; the compilers write the table differently. */
static void lines_are_those_of_the_source(const char *command)
{
  static const char text[] = "int f(int x)\n{\n  x *=\n  3;\n  return x;\n}\n\n\nint g(int x)\n{\n  return x - 1;\n}\n";
  struct sl_object64 o;
  struct sl_error err;
  if (translate("a.c", text, command, &o, &err) != SL_OK)
    fail_msg("%s", err.text);
  const char *names[] = {".text.f", ".text.g"};
  const uint32_t first[] = {1, 9}, last[] = {6, 12}, inside[] = {5, 11};
  for (unsigned i = 0; i < 2; i++) {
    const struct sl_section64 *s = section(&o, names[i]);
    bool seen = false;
    for (size_t k = 0; k < s->code_count; k++) {
      const char *file = o.files[s->code[k].file];
      assert_in_range(s->code[k].line, first[i], last[i]);
      assert_string_equal(file + strlen(file) - 3, "a.c");
      seen = seen || s->code[k].line == inside[i];
    }
    assert_true(seen);
  }
  sl_object64_free(&o);
}

static void gcc_line_tables_match_the_source(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  lines_are_those_of_the_source(CROSS_GCC " " CROSS_RV32IM " -g -O0 -ffunction-sections -c a.c");
  lines_are_those_of_the_source(CROSS_GCC " " CROSS_RV32IM " -gdwarf-4 -O0 -ffunction-sections -c a.c");
}

static void clang_line_tables_match_the_source(void **state)
{
  (void)state;
  if (!cross_has(CROSS_CLANG))
    skip();
  lines_are_those_of_the_source(CROSS_CLANG " " CROSS_ZFINX " -g -O0 -ffunction-sections -c a.c");
}

static void instructions_without_a_64_bit_word_are_refused(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  refuse("nop", CROSS_GCC " -march=rv32imac -mabi=ilp32 -c a.S", "compressed instructions");
  refuse("nop", CROSS_GCC " -march=rv32imaf -mabi=ilp32f -c a.S", "passes arguments in floating-point registers");
  refuse("nop", CROSS_GCC " -march=rv32imaf -mabi=ilp32 -c a.S", "compiled for floating-point registers");
  refuse("nop", CROSS_GCC " -march=rv32em -mabi=ilp32e -c a.S", "compiled for 16 registers (RV32E)");
  refuse("nop", CROSS_GCC " -march=rv64im -mabi=lp64 -c a.S", "not an object of 32-bit RISC-V");
  refuse("nop", "cc -c a.S -x assembler -o a.o 2>/dev/null || cc -c a.S", "not an object of 32-bit RISC-V");
  refuse("_start: nop", CROSS_GCC " " CROSS_RV32IM " -nostdlib -Wl,-e0 -o a.o a.S",
         "it is already linked; compile with -c");
  refuse("f: .type f, @function\nnop\n.insn 0x8082800b\n", ASSEMBLE,
         "0x8082800b at f+0x4 has no equivalent 64-bit instruction");
  refuse("nop\n.word 0x13\n", ASSEMBLE, "data between the instructions of .text, at 0x4");
  refuse("f: .type f, @function\nauipc a0, 1\n", ASSEMBLE, "auipc at f+0x0 has a fixed offset in code");
  refuse("jalr 8(a0)\n", ASSEMBLE, "jalr at .text+0x0 has a fixed offset in code");
  refuse("f: nop\nlw a0, %pcrel_lo(f)(a0)\n", ASSEMBLE, "the lower part of an address at .text+0x4 has no upper part");
  refuse("nop\n.insn 0x0010006f\n", ASSEMBLE,
         "the target of the jump at .text+0x4 is not an instruction of its section");
  refuse("f: nop\n.data\n.word f + 2\n", ASSEMBLE, "f+2 is between two instructions");
  refuse(".reloc 0, R_RISCV_CALL, f\nauipc a0, 0\nnop\n", ASSEMBLE, "the call at .text+0x0 has no jump");
  refuse(".reloc 0, R_RISCV_HI20, f\nnop\n", ASSEMBLE, "relocation of type 26 at .text+0x0 does not fit");
  refuse("la.tls.gd a0, x\n", ASSEMBLE, "compile with -fno-pic -ftls-model=local-exec");
  refuse(".data\n.dword x\n", ASSEMBLE, "relocation of type 2 at .data+0x0 has no equivalent");
}

/* ---- damaged files ----------------------------------------------------------------------------------------------- */

static void use(const uint8_t *bytes, size_t size)
{
  struct sl_object64 o;
  struct sl_error err = {0};
  const enum sl_status code = sl_rv32_object_parse("x.o", bytes, size, &o, &err);
  if (code != SL_OK) {
    assert_int_equal(code, SL_USAGE);
    assert_int_equal(strncmp(err.text, "x.o: ", 5), 0);
    return;
  }
  if (sl_object64_check(&o, &err) != SL_OK)
    fail_msg("%s", err.text);
  sl_object64_free(&o);
}

static uint8_t *make_file(const char *text, const char *command, const char *name, size_t *size)
{
  struct cross c;
  char path[2 * CROSS_PATH], *bytes;
  struct sl_error err;
  cross_open(&c);
  cross_write(&c, "a.c", text);
  cross_run(&c, command);
  assert_int_equal(sl_file_bytes_read(cross_path(&c, name, path), &bytes, size, &err), SL_OK);
  cross_close(&c);
  return (uint8_t *)bytes;
}

static const char some_code[] =
    "extern int far; static __thread int own; int table(int x) { switch (x) { case 0: return far;\n"
    "case 1: return own++; case 2: return x * 9; case 3: return 77; case 4: return far / 3;\n"
    "case 5: return x; } return far + 1; }\n"
    "int (*const pointer)(int) = table; int common;\n";

static void damaged_objects_do_not_crash(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  size_t size;
  uint64_t seed = 11;
  uint8_t *bytes = make_file(some_code, CROSS_GCC " " CROSS_RV32IM " -g -O2 -fcommon -c a.c", "a.o", &size);
  for (size_t cut = 0; cut < size; cut += 1 + size / 300) {
    uint8_t *exact = malloc(cut + 1); /* so that a sanitizer detects reads after the end */
    memcpy(exact, bytes, cut);
    use(exact, cut);
    free(exact);
  }
  for (unsigned i = 0; i < 1500; i++) {
    const size_t at = i % 3 == 0 ? random_below(&seed, (unsigned)size) : size - 1 - random_below(&seed, 900) % size;
    const uint8_t kept = bytes[at];
    bytes[at] = (uint8_t)(i % 2 == 0 ? random32(&seed) : kept ^ 1u << random_below(&seed, 8));
    use(bytes, size);
    bytes[at] = kept;
  }
  free(bytes);
}

static unsigned read_all(const char *name, uint8_t *bytes, size_t size)
{
  struct sl_rv32_archive archive;
  struct sl_error err = {0};
  unsigned good = 0;
  if (sl_rv32_archive_parse(name, bytes, size, &archive, &err) != SL_OK) {
    assert_int_equal(strncmp(err.text, name, strlen(name)), 0);
    return 0;
  }
  for (size_t i = 0; i < archive.symbol_count; i++) {
    struct sl_object64 o;
    if (sl_rv32_archive_member(&archive, archive.symbols[i].member, &o, &err) != SL_OK)
      continue;
    good++;
    sl_object64_free(&o);
  }
  sl_rv32_archive_free(&archive);
  return good;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t size)
{
  uint8_t *copy = malloc(size + 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  return copy;
}

static void archives_are_read_and_damaged_ones_do_not_crash(void **state)
{
  (void)state;
  if (!have_gcc())
    skip();
  size_t size;
  uint64_t seed = 5;
  uint8_t *bytes = make_file(some_code,
                             CROSS_GCC " " CROSS_RV32IM " -O2 -c a.c && cp a.o a_name_that_is_longer_than_16.o && "
                                       "riscv64-unknown-elf-ar rcs a.a a.o a_name_that_is_longer_than_16.o",
                             "a.a", &size);
  assert_true(read_all("a.a", copy_of(bytes, size), size) >= 4); /* two functions or variables of each */
  for (size_t cut = 0; cut < size; cut += 1 + size / 200)
    read_all("a.a", copy_of(bytes, cut), cut);
  for (unsigned i = 0; i < 500; i++) {
    uint8_t *copy = copy_of(bytes, size);
    copy[random_below(&seed, i % 2 == 0 ? 400 : (unsigned)size)] = (uint8_t)random32(&seed);
    read_all("a.a", copy, size);
  }
  free(bytes);
}

static void other_archives_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *bytes, *sentence;
  } files[] = {{"!<thin>\n", "x.a: a thin archive"},
               {"\177ELF", "x.a: not an archive"},
               {"!<arch>\n/               0           0     0     644     0         `\n",
                "x.a: the archive's index extends beyond its end"},
               {"!<arch>\nrest", "x.a: ends within the header of a member, at byte 8"},
               {"!<arch>\na.o/            0           0     0     644     2         `\nab",
                "x.a: the archive has no index of symbols; run riscv64-unknown-elf-ranlib"}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    struct sl_rv32_archive archive;
    struct sl_error err;
    const size_t size = strlen(files[i].bytes);
    assert_int_equal(sl_rv32_archive_parse("x.a", copy_of((const uint8_t *)files[i].bytes, size), size, &archive, &err),
                     SL_USAGE);
    if (strstr(err.text, files[i].sentence) == NULL)
      fail_msg("'%s' does not say '%s'", err.text, files[i].sentence);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(offsets_in_code_double),
      cmocka_unit_test(addresses_become_relocations),
      cmocka_unit_test(padding_is_kept),
      cmocka_unit_test(address_tables_are_optional),
      cmocka_unit_test(symbols_and_sections_keep_their_attributes),
      cmocka_unit_test(gcc_line_tables_match_the_source),
      cmocka_unit_test(clang_line_tables_match_the_source),
      cmocka_unit_test(instructions_without_a_64_bit_word_are_refused),
      cmocka_unit_test(damaged_objects_do_not_crash),
      cmocka_unit_test(archives_are_read_and_damaged_ones_do_not_crash),
      cmocka_unit_test(other_archives_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
