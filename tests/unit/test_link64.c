/* The linker: selection of units and sections, memory layout, relocation of instructions and data, and contents of the
 * file. Units are hand-made; the memory map is compared with GNU ld's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/isa64/link/link64.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "cross.h"
#include "program/kernels.h"
#include "program/program.h"
#include "random.h"
#include "units64.h"

enum { START = 0x80000000 };

static struct sl_link64_options options(void)
{
  return (struct sl_link64_options){.registers = 128, .banks = 4};
}

/* Links, and frees the units. */
static enum sl_status link_units(const struct sl_link64_options *o, struct sl_object64 *units, size_t count,
                                 struct sl_program **program, struct sl_error *err)
{
  struct cross c;
  char path[2 * CROSS_PATH];
  cross_open(&c);
  cross_path(&c, "linked.elf", path);
  enum sl_status code = sl_link64(o, units, count, path, err);
  if (code == SL_OK)
    code = sl_program_load(path, program, err);
  else
    assert_int_not_equal(access(path, F_OK), 0);
  for (size_t i = 0; i < count; i++)
    sl_object64_free(&units[i]);
  cross_close(&c);
  return code;
}

static struct sl_program *link_all(const struct sl_link64_options *o, struct sl_object64 *units, size_t count)
{
  struct sl_program *program = NULL;
  struct sl_error err;
  if (link_units(o, units, count, &program, &err) != SL_OK)
    fail_msg("%s", err.text);
  return program;
}

static void refuse(const struct sl_link64_options *o, struct sl_object64 *units, size_t count, const char *sentence)
{
  struct sl_program *program = NULL;
  struct sl_error err;
  if (link_units(o, units, count, &program, &err) == SL_OK)
    fail_msg("linked what should be refused with '%s'", sentence);
  if (strstr(err.text, sentence) == NULL)
    fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static uint32_t address(const struct sl_program *program, const char *name)
{
  uint32_t value = 0;
  if (!sl_program_symbol(program, name, &value))
    fail_msg("the program has no symbol %s", name);
  return value;
}

/* As little-endian. */
static uint64_t bytes_at(const struct sl_program *program, uint32_t at, unsigned count)
{
  uint64_t value = 0;
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *s = sl_program_segment(program, i);
    if (at >= s->address && at - s->address + count <= s->file_size)
      memcpy(&value, s->bytes + (at - s->address), count);
  }
  return value;
}

static struct sl_insn insn_at(const struct sl_program *program, uint32_t at)
{
  return sl_wide_decode(bytes_at(program, at, SL_WIDE_BYTES), SL_WIDE_SETS);
}

static uint32_t word_at(const struct sl_program *program, uint32_t at)
{
  return (uint32_t)bytes_at(program, at, 4);
}

/* ---- selection -------------------------------------------------------------------------------------------------- */

static void the_file_identifies_its_instruction_set(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "ret");
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  assert_int_equal(sl_program_isa(program), SL_ISA_WIDE64);
  assert_int_equal(sl_program_registers(program), 128);
  assert_int_equal(sl_program_banks(program), 4);
  assert_int_equal(sl_program_entry(program), START);
  assert_int_equal(insn_at(program, START).op, SL_OP_JALR);
  sl_program_free(program);
}

static void an_undefined_symbol_is_reported_with_its_first_user(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  struct sl_section64 *start = add_function(&unit, "_start", "nop\n call nothing");
  set_line(&unit, start, 1, "/src/a.c", 12);
  const struct sl_link64_options o = options();
  refuse(&o, &unit, 1, "nothing is not defined, which _start (a.c:12) of a.o refers to; add the file or the library");
  unit = make_unit("b.o");
  add_function(&unit, "main", "ret");
  refuse(&o, &unit, 1, "the entry _start is not defined as code");
  unit = make_unit("b.o");
  add_function(&unit, "_start", "");
  refuse(&o, &unit, 1, "the entry _start is not defined as code");
}

static void unreferenced_sections_are_dropped(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "call used\n ret");
  add_function(&unit, "used", "lw a0, table\n ret");
  add_function(&unit, "unused", "call nothing");
  add_data(&unit, ".data.table", "table", (const uint32_t[]){7}, 1);
  add_data(&unit, ".data.kept", "kept", (const uint32_t[]){8}, 1)->keep = true;
  add_data(&unit, ".data.other", "other", (const uint32_t[]){9}, 1);
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  uint32_t value;
  assert_false(sl_program_symbol(program, "unused", &value));
  assert_false(sl_program_symbol(program, "other", &value));
  assert_int_equal(word_at(program, address(program, "table")), 7);
  assert_int_equal(word_at(program, address(program, "kept")), 8);
  sl_program_free(program);
}

static void duplicate_definitions_are_reported_with_both_places(void **state)
{
  (void)state;
  struct sl_object64 units[2] = {make_unit("a.o"), make_unit("b.o")};
  add_function(&units[0], "_start", "ret");
  set_line(&units[0], add_function(&units[0], "twice", "ret"), 0, "/src/a.c", 3);
  add_function(&units[1], "twice", "nop\n ret");
  const struct sl_link64_options o = options();
  refuse(&o, units, 2, "twice is defined twice: in twice (a.c:3) of a.o and in twice of b.o");
  units[0] = make_unit("a.o");
  units[1] = make_unit("b.o");
  add_function(&units[0], "_start", "ret");
  define(&units[0], "twice", SL_ABSOLUTE64, 1, 0);
  define(&units[1], "twice", SL_ABSOLUTE64, 2, 0);
  refuse(&o, units, 2, "twice is defined twice: in a.o and in b.o");
}

/* In either order of units. */
static void strong_definitions_replace_weak_ones(void **state)
{
  (void)state;
  for (unsigned strong = 0; strong < 2; strong++) {
    struct sl_object64 units[3] = {make_unit("a.o"), make_unit("b.o"), make_unit("c.o")};
    add_function(&units[2], "_start", "call f\n call g");
    uint32_t index;
    for (unsigned i = 0; i < 2; i++) {
      add_function(&units[i], "f", i == strong ? "li a0, 1" : "li a0, 2");
      assert_true(sl_object64_find(&units[i], "f", &index));
      units[i].symbols[index].weak = i != strong;
    }
    assert_true(sl_object64_find(&units[2], "g", &index));
    units[2].symbols[index].weak = true;
    const struct sl_link64_options o = options();
    struct sl_program *program = link_all(&o, units, 3);
    assert_int_equal(insn_at(program, address(program, "f")).imm, 1);
    const uint32_t at = address(program, "_start") + SL_WIDE_BYTES;
    assert_int_equal(at + insn_at(program, at).imm, 0); /* undefined and weak */
    sl_program_free(program);
  }
}

static void common_symbols_become_one_that_fits_all(void **state)
{
  (void)state;
  struct sl_object64 units[3] = {make_unit("a.o"), make_unit("b.o"), make_unit("c.o")};
  add_function(&units[0], "_start", "lw a0, shared\n lw a1, defined");
  for (unsigned i = 0; i < 3; i++) {
    define(&units[i], "shared", SL_COMMON64, i == 1 ? 32 : 4, i == 2 ? 400 : 8);
    if (i != 1)
      define(&units[i], "defined", SL_COMMON64, 4, 4);
  }
  add_data(&units[1], ".data.defined", "defined", (const uint32_t[]){5}, 1);
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, units, 3);
  assert_int_equal(address(program, "shared") % 32, 0);
  assert_true(address(program, "__bss_end") >= address(program, "shared") + 400);
  assert_true(address(program, "shared") >= address(program, "__bss_start"));
  assert_int_equal(insn_at(program, START).imm, address(program, "shared"));
  assert_int_equal(word_at(program, insn_at(program, START + 8).imm), 5);
  sl_program_free(program);
}

static void the_first_section_of_a_group_is_kept(void **state)
{
  (void)state;
  struct sl_object64 units[2] = {make_unit("a.o"), make_unit("b.o")};
  add_function(&units[0], "_start", "call f\n call second");
  for (unsigned i = 0; i < 2; i++)
    add_function(&units[i], "f", i == 0 ? "li a0, 1" : "li a0, 2")->group = strdup("f");
  add_function(&units[1], "second", "call f");
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, units, 2);
  const uint32_t f = address(program, "f"), second = address(program, "second");
  assert_int_equal(insn_at(program, f).imm, 1);
  assert_int_equal(second + insn_at(program, second).imm, f);
  sl_program_free(program);
}

static void defined_names_replace_what_units_define(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "call f\n li a0, 0\n lw a1, number");
  add_function(&unit, "f", "li a0, 1");
  add_function(&unit, "instead", "li a0, 2");
  const char *defsyms[] = {"f=instead", "number=0x1234"};
  struct sl_link64_options o = options();
  o.defsyms = defsyms;
  o.defsym_count = 2;
  struct sl_program *program = link_all(&o, &unit, 1);
  assert_int_equal(START + insn_at(program, START).imm, address(program, "instead"));
  assert_int_equal(insn_at(program, START + 16).imm, 0x1234);
  sl_program_free(program);
  unit = make_unit("a.o");
  add_function(&unit, "_start", "ret");
  defsyms[0] = "=x";
  refuse(&o, &unit, 1, "--defsym==x: not of the form name=symbol");
}

/* The section lists kernels that are launched by name, even if the host program never names them. */
static void declared_kernels_are_kept(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "ret");
  add_function(&unit, "scale", "li a0, 1\n ret");
  struct sl_section64 *told = add_data(&unit, ".simt.kernels", "told", (const uint32_t[6]){0}, 6);
  static const char text[] = "\0\0\0\0scale\0(int, n)";
  memcpy(told->bytes, text, sizeof text);
  told->size = sizeof text;
  told->alignment = 1;
  told->keep = told->not_loaded = true;
  add_fix(&unit, told, 0, SL_FIX_WORD, "scale", 0);
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  struct sl_kernel kernel;
  assert_int_equal(sl_program_kernel_count(program), 1);
  assert_true(sl_program_find_kernel(program, "scale", &kernel));
  assert_string_equal(kernel.parameters, "(int, n)");
  assert_int_equal(insn_at(program, address(program, "scale")).imm, 1);
  sl_program_free(program);
}

static void registers_beyond_the_programs_are_refused(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  set_line(&unit, add_function(&unit, "_start", "add a0, x128, a1"), 0, "a.c", 7);
  const struct sl_link64_options o = options();
  refuse(&o, &unit, 1, "_start (a.c:7) of a.o uses register x128, but the program is for 128 registers");
}

static void inconsistent_units_are_refused(void **state)
{
  (void)state;
  const struct sl_link64_options o = options();
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "call f")->code[0].symbol = 77;
  refuse(&o, &unit, 1, "a.o has an instruction whose symbol does not exist");
  unit = make_unit("a.o");
  add_function(&unit, "_start", "ret");
  unit.symbols[0].value = 999;
  refuse(&o, &unit, 1, "a.o has a symbol outside of its section");
  struct sl_link64_options none = options();
  none.registers = 16;
  unit = make_unit("a.o");
  refuse(&none, &unit, 1, "32 to 256 registers, not 16");
}

/* ---- relocation -------------------------------------------------------------------------------------------------- */

static void every_kind_of_relocation_is_applied(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start",
               "la a0, data + 4\n auipc a1, data\n lui a2, %hi(data + 0x7fc)\n lw a2, %lo(data + 0x7fc)(a2)\n"
               "sw a3, %lo(data + 0x7fc)(a2)\n call f\n bnez a4, f\n lui a5, %tprel_hi(own)\n"
               "addi a5, a5, %tprel_lo(own)\n lw a6, initial\n");
  struct sl_section64 *start = &unit.sections[0];
  start->code[9].fix = SL_FIX_TP; /* assembly has no syntax for it */
  add_function(&unit, "f", "ret");
  add_data(&unit, ".data.data", "data", (const uint32_t[600]){1}, 600);
  add_data(&unit, ".tdata.initial", "initial", (const uint32_t[]){3, 4, 5}, 3);
  add_data(&unit, ".tbss.own", "own", NULL, 2);
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  const uint32_t data = address(program, "data"), f = address(program, "f"), far = data + 0x7fc;
  const uint32_t own = 16; /* after three words of .tdata, aligned to 16 */
  assert_int_equal(insn_at(program, START).imm, data + 4);
  assert_int_equal(START + 8 + insn_at(program, START + 8).imm, data);
  assert_int_equal(insn_at(program, START + 16).imm + insn_at(program, START + 24).imm, far);
  assert_int_equal(insn_at(program, START + 16).imm + insn_at(program, START + 32).imm, far);
  assert_int_equal(insn_at(program, START + 16).imm % 4096, 0);
  assert_in_range(insn_at(program, START + 24).imm + 0x800, 0, 0xfff);
  assert_int_equal(START + 40 + insn_at(program, START + 40).imm, f);
  assert_int_equal(START + 48 + insn_at(program, START + 48).imm, f);
  assert_int_equal(insn_at(program, START + 56).imm + insn_at(program, START + 64).imm, own);
  assert_int_equal(insn_at(program, START + 72).imm, 0);
  sl_program_free(program);
}

static void data_has_addresses_and_distances(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "la a0, table");
  add_function(&unit, "f", "nop\n nop\n ret");
  struct sl_section64 *table = add_data(&unit, ".rodata.table", "table", (const uint32_t[]){0, 100, 0}, 3);
  add_fix(&unit, table, 0, SL_FIX_WORD, "f", 8);
  add_fix(&unit, table, 4, SL_FIX_ADD, "f", 16);
  add_fix(&unit, table, 4, SL_FIX_SUB, "f", 0);
  add_fix(&unit, table, 8, SL_FIX_WORD, "table", -4);
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  const uint32_t at = address(program, "table");
  assert_int_equal(word_at(program, at), address(program, "f") + 8);
  assert_int_equal(word_at(program, at + 4), 116);
  assert_int_equal(word_at(program, at + 8), at - 4);
  sl_program_free(program);
}

static void addresses_out_of_range_are_refused(void **state)
{
  (void)state;
  const struct sl_link64_options o = options();
  struct sl_object64 units[2] = {make_unit("a.o"), make_unit("b.o")};
  add_function(&units[0], "_start", "la a0, own");
  add_data(&units[0], ".tbss.own", "own", NULL, 1);
  refuse(&o, units, 1, "own is thread-local, and has no single address; _start of a.o uses it");
  units[0] = make_unit("a.o");
  add_function(&units[0], "_start", "lui a0, %tprel_hi(data)");
  add_data(&units[0], ".data", "data", (const uint32_t[]){1}, 1);
  refuse(&o, units, 1, "data is not thread-local; _start of a.o uses it");
  units[0] = make_unit("a.o");
  add_function(&units[0], "_start", "call f + 4");
  add_function(&units[0], "f", "ret");
  refuse(&o, units, 1, "f is the target of a jump, but not an instruction");
  /* Four bytes of RV32 are eight here, but only if the other unit is of RV32, too. */
  units[0] = make_unit("a.o");
  units[0].translated = true;
  add_function(&units[0], "_start", "la a0, f + 4");
  add_function(&units[1], "f", "ret");
  refuse(&o, units, 2, "f is code of another file, where offsets cannot be translated");
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static void constructors_are_in_order(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  static const char *const names[] = {".init_array", ".init_array.00200", ".fini_array", ".init_array.00030",
                                      ".preinit_array"};
  add_function(&unit, "_start", "la a0, __init_array_start\n la a0, __init_array_end");
  for (uint32_t i = 0; i < 5; i++) {
    char name[8];
    snprintf(name, sizeof name, "v%u", (unsigned)i);
    add_data(&unit, names[i], name, &i, 1)->keep = true;
  }
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  const uint32_t at = address(program, "__preinit_array_start");
  const uint32_t expected[] = {4, 3, 1, 0, 2};
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(word_at(program, at + 4 * i), expected[i]);
  assert_int_equal(address(program, "__init_array_start"), at + 4);
  assert_int_equal(address(program, "__init_array_end"), at + 16);
  assert_int_equal(address(program, "__fini_array_end"), at + 20);
  sl_program_free(program);
}

static void instructions_have_their_source_lines(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  struct sl_section64 *start = add_function(&unit, "_start", "nop\n nop\n nop\n call f\n ret");
  set_line(&unit, start, 0, "/src/a.c", 300);
  set_line(&unit, start, 1, "/src/a.c", 4);
  set_line(&unit, start, 3, "/inc/b.h", 4);
  set_line(&unit, start, 4, "/src/a.c", 70000);
  add_function(&unit, "f", "ret");
  const struct sl_link64_options o = options();
  struct sl_program *program = link_all(&o, &unit, 1);
  static const struct {
    const char *file;
    unsigned line;
  } expected[] = {{"/src/a.c", 300}, {"/src/a.c", 4}, {NULL, 0}, {"/inc/b.h", 4}, {"/src/a.c", 70000}, {NULL, 0}};
  for (unsigned i = 0; i < 6; i++) {
    const struct sl_location at = sl_program_locate(program, START + 8 * i);
    assert_int_equal(at.line, expected[i].line);
    if (expected[i].file != NULL)
      assert_string_equal(at.file, expected[i].file);
    else
      assert_null(at.file);
    assert_string_equal(at.function, i < 5 ? "_start" : "f");
  }
  char text[80];
  sl_location_format(program, START + 24, text, sizeof text);
  assert_string_equal(text, "_start+0x18 (b.h:4)");
  sl_program_free(program);
}

static void a_program_that_does_not_fit_is_refused(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "la a0, large");
  add_data(&unit, ".bss.large", "large", NULL, 0x20000000);
  struct sl_link64_options o = options();
  refuse(&o, &unit, 1, "the program does not fit into the address space: .bss would end at 0x10000");
  unit = make_unit("a.o");
  add_function(&unit, "_start", "ret");
  o.start = 0x80000004;
  refuse(&o, &unit, 1, "the start address 0x80000004 is not a multiple of 8");
}

static void write_errors_are_reported(void **state)
{
  (void)state;
  struct sl_object64 unit = make_unit("a.o");
  struct sl_error err;
  add_function(&unit, "_start", "ret");
  const struct sl_link64_options o = options();
  assert_int_equal(sl_link64(&o, &unit, 1, "/nowhere/a.elf", &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/nowhere/a.elf: cannot be opened for writing"));
  sl_object64_free(&unit);
}

/* ---- with stock tools -------------------------------------------------------------------------------------------- */

static const char layout_source[] =
    "__thread int a = 3; __thread char b[5]; __thread long long c __attribute__((aligned(16)));\n"
    "int d[3] = {1}; char e = 4; const char f[] = \"constant\"; int g[100]; char h; short i = 2;\n"
    "int common_one[7] __attribute__((common)); volatile int n;\n"
    "const int *const j[] = {d, g};\n"
    "__attribute__((constructor)) static void k(void) { g[0]++; }\n"
    "__attribute__((constructor(101))) static void l(void) { g[1]++; }\n"
    "static int unused(int x) { return x * d[1]; }\n"
    "int (*m)(int) = unused;\n"
    "extern char __tls_first[], __tls_second[], __bss_start[], __bss_end[];\n"
    "int _start(void) { return a + b[1] + (int)c + d[0] + e + f[n] + g[4] + h + common_one[2] + i + *j[n] + m(3)\n"
    "  + (__tls_second - __tls_first) + (__bss_end - __bss_start); }\n";

/* GNU ld with the same script, without relaxation: the same code except for its length, the same data at the same
 * distance from the start. */
static void the_memory_map_equals_that_of_gnu_ld(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  struct cross c;
  char command[1024], path[2 * CROSS_PATH], folder[512];
  struct sl_program *stock, *own;
  struct sl_object64 unit;
  struct sl_error err;
  snprintf(folder, sizeof folder, "%.400s", __FILE__);
  *strstr(folder, "/tests/unit/") = '\0';
  cross_open(&c);
  cross_write(&c, "a.c", layout_source);
  snprintf(command, sizeof command,
           CROSS_GCC
           " " CROSS_RV32IM " -O1 -fno-common -mcmodel=medany -ffunction-sections -fdata-sections -c a.c && " CROSS_GCC
           " " CROSS_RV32IM " -nostdlib -static -Wl,--gc-sections,--no-relax -T%s/runtime/vortex.ld a.o -o a.elf",
           folder);
  cross_run(&c, command);
  if (sl_rv32_object_read(cross_path(&c, "a.o", path), &unit, &err) != SL_OK ||
      sl_program_load(cross_path(&c, "a.elf", path), &stock, &err) != SL_OK)
    fail_msg("%s", err.text);
  cross_close(&c);
  const struct sl_link64_options o = options();
  own = link_all(&o, &unit, 1);
  const struct sl_segment *theirs = sl_program_segment(stock, 0), *ours = sl_program_segment(own, 0);
  assert_int_equal(ours->size, 2 * theirs->size);
  const uint32_t from = sl_program_segment(stock, 1)->address, to = sl_program_segment(own, 1)->address;
  static const char *const names[] = {"d",
                                      "e",
                                      "f",
                                      "g",
                                      "h",
                                      "i",
                                      "j",
                                      "m",
                                      "common_one",
                                      "__preinit_array_start",
                                      "__init_array_start",
                                      "__init_array_end",
                                      "__fini_array_start",
                                      "__fini_array_end",
                                      "__tdata_start",
                                      "__tdata_end",
                                      "__bss_start",
                                      "__bss_end",
                                      "__tls_first",
                                      "__tls_second",
                                      "__global_pointer$"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (address(own, names[i]) - to != address(stock, names[i]) - from)
      fail_msg("%s is at 0x%x of the data, and at 0x%x in that of GNU ld", names[i],
               (unsigned)(address(own, names[i]) - to), (unsigned)(address(stock, names[i]) - from));
  assert_int_equal(sl_program_segment(own, 1)->size, sl_program_segment(stock, 1)->size);
  sl_program_free(own);
  sl_program_free(stock);
}

static void only_needed_archive_members_are_linked(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  struct cross c;
  char path[2 * CROSS_PATH], map[2 * CROSS_PATH];
  struct sl_rv32_archive archives[2];
  struct sl_error err;
  cross_open(&c);
  cross_write(&c, "f.c", "int g(void); int f(void) { return g(); }\n");
  cross_write(&c, "g.c", "int h(void); int g(void) { return h(); }\n");
  cross_write(&c, "h.c", "int h(void) { return 3; }\n");
  cross_write(&c, "w.c", "int w(void) { return 4; }\n");
  cross_run(&c, "for f in f g h w; do " CROSS_GCC " " CROSS_RV32IM " -O1 -c $f.c || exit 1; done && "
                "riscv64-unknown-elf-ar rcs one.a g.o w.o && riscv64-unknown-elf-ar rcs two.a f.o h.o");
  assert_int_equal(sl_rv32_archive_read(cross_path(&c, "one.a", path), &archives[0], &err), SL_OK);
  assert_int_equal(sl_rv32_archive_read(cross_path(&c, "two.a", path), &archives[1], &err), SL_OK);
  struct sl_object64 unit = make_unit("a.o");
  add_function(&unit, "_start", "call f\n call w");
  uint32_t index;
  assert_true(sl_object64_find(&unit, "w", &index));
  unit.symbols[index].weak = true;
  struct sl_link64_options o = options();
  o.archives = archives;
  o.archive_count = 2;
  o.map = cross_path(&c, "map", map);
  struct sl_program *program = link_all(&o, &unit, 1);
  uint32_t value;
  assert_true(sl_program_symbol(program, "h", &value));
  assert_false(sl_program_symbol(program, "w", &value));
  cross_run(&c, "grep -q '80000000 .* .text$' map && grep -q ' .text  two.a(h.o)$' map && grep -q '^8.* h$' map && "
                "! grep -q w.o map");
  sl_program_free(program);
  sl_rv32_archive_free(&archives[0]);
  sl_rv32_archive_free(&archives[1]);
  cross_close(&c);
}

/* Random changed bytes: the linker links a readable unit or refuses it with a message. */
static void damaged_objects_are_linked_or_refused(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC))
    skip();
  enum { TIMES = 600 };
  struct cross c;
  char path[2 * CROSS_PATH], output[2 * CROSS_PATH], *bytes;
  size_t size;
  struct sl_error err;
  uint64_t seed = 17;
  unsigned linked = 0;
  cross_open(&c);
  cross_write(&c, "a.c", layout_source);
  cross_run(&c, CROSS_GCC " " CROSS_RV32IM " -g -O1 -ffunction-sections -fdata-sections -c a.c");
  assert_int_equal(sl_file_bytes_read(cross_path(&c, "a.o", path), &bytes, &size, &err), SL_OK);
  cross_path(&c, "a.elf", output);
  for (unsigned i = 0; i < TIMES; i++) {
    /* The tables of sections, symbols and relocations are at the end. */
    const size_t at = i % 3 == 0 ? random_below(&seed, (unsigned)size) : size - 1 - random_below(&seed, 5000) % size;
    const char kept = bytes[at];
    struct sl_object64 unit;
    bytes[at] = (char)random32(&seed);
    if (sl_rv32_object_parse("a.o", (const uint8_t *)bytes, size, &unit, &err) == SL_OK) {
      const struct sl_link64_options o = options();
      const enum sl_status code = sl_link64(&o, &unit, 1, output, &err);
      if (code != SL_OK && code != SL_USAGE)
        fail_msg("byte %zu: %s", at, err.text);
      linked += code == SL_OK;
      sl_object64_free(&unit);
    }
    bytes[at] = kept;
  }
  assert_in_range(linked, TIMES / 4, TIMES);
  free(bytes);
  cross_close(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_file_identifies_its_instruction_set),
      cmocka_unit_test(an_undefined_symbol_is_reported_with_its_first_user),
      cmocka_unit_test(unreferenced_sections_are_dropped),
      cmocka_unit_test(duplicate_definitions_are_reported_with_both_places),
      cmocka_unit_test(strong_definitions_replace_weak_ones),
      cmocka_unit_test(common_symbols_become_one_that_fits_all),
      cmocka_unit_test(the_first_section_of_a_group_is_kept),
      cmocka_unit_test(defined_names_replace_what_units_define),
      cmocka_unit_test(declared_kernels_are_kept),
      cmocka_unit_test(registers_beyond_the_programs_are_refused),
      cmocka_unit_test(inconsistent_units_are_refused),
      cmocka_unit_test(every_kind_of_relocation_is_applied),
      cmocka_unit_test(data_has_addresses_and_distances),
      cmocka_unit_test(addresses_out_of_range_are_refused),
      cmocka_unit_test(constructors_are_in_order),
      cmocka_unit_test(instructions_have_their_source_lines),
      cmocka_unit_test(a_program_that_does_not_fit_is_refused),
      cmocka_unit_test(write_errors_are_reported),
      cmocka_unit_test(the_memory_map_equals_that_of_gnu_ld),
      cmocka_unit_test(only_needed_archive_members_are_linked),
      cmocka_unit_test(damaged_objects_are_linked_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
