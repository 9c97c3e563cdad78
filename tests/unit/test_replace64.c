/* Compiled functions that replace those of a stock object: targets of calls, data, and the remaining code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/isa64/link/link64.h"
#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "cross.h"
#include "program/program.h"
#include "units64.h"
#include "wide_interpreter.h"

static void replace(struct sl_object64 *object, struct sl_object64 *compiled)
{
  struct sl_error err;
  if (sl_object64_replace(object, compiled, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(compiled->section_count, 0);
  assert_int_equal(compiled->symbol_count, 0);
  assert_null(compiled->name);
}

/* Runs the program of the units, the first of which starts with _start; returns the word stored at 0x88. */
static uint32_t run(struct sl_object64 *units, size_t count)
{
  const struct sl_link64_options options = {.registers = 256, .banks = 4};
  struct cross c;
  char path[2 * CROSS_PATH];
  struct sl_error err;
  struct sl_program *program = NULL;
  static struct wide_machine m;
  cross_open(&c);
  if (sl_link64(&options, units, count, cross_path(&c, "a.elf", path), &err) != SL_OK ||
      sl_program_load(path, &program, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_true(wide_load_program(&m, program));
  wide_run(&m, 10000);
  if (m.stopped != NULL)
    fail_msg("%s at 0x%08x", m.stopped, (unsigned)m.pc);
  wide_free(&m);
  sl_program_free(program);
  for (size_t i = 0; i < count; i++)
    sl_object64_free(&units[i]);
  cross_close(&c);
  return m.exit_code;
}

static const char start[] = "call f\n sw a0, 0x88(zero)";

static void set_local(struct sl_object64 *unit, const char *name)
{
  uint32_t index;
  assert_true(sl_object64_find(unit, name, &index));
  unit->symbols[index].global = false;
}

static void calls_go_to_the_compiled_function(void **state)
{
  (void)state;
  struct sl_object64 stock = make_unit("a.o"), compiled = make_unit("a.mir");
  add_function(&stock, "_start", start);
  add_function(&stock, "f", "li a0, 1\n ret");
  set_line(&stock, &stock.sections[0], 0, "/src/a.c", 1);
  struct sl_section64 *f = add_function(&compiled, "f", "lw x200, table\n lw x200, 0(x200)\n addi a0, x200, 1\n ret");
  set_line(&compiled, f, 0, "/src/other.h", 9);
  struct sl_section64 *table = add_data(&compiled, ".rodata", "table", (const uint32_t[]){0, 41}, 2);
  add_fix(&compiled, table, 0, SL_FIX_WORD, "table", 4);
  replace(&stock, &compiled);
  uint32_t index;
  assert_true(sl_object64_find(&stock, "f", &index));
  const struct sl_section64 *code = &stock.sections[stock.symbols[index].section];
  assert_int_equal(code->code_count, 4);
  assert_string_equal(stock.files[code->code[0].file], "/src/other.h");
  assert_int_equal(run(&stock, 1), 42);
}

/* Static variables and labels of the stock object; a table of the compiled code has its own labels. */
static void data_comes_from_the_stock_object(void **state)
{
  (void)state;
  struct sl_object64 stock = make_unit("a.o"), compiled = make_unit("a.mir");
  add_function(&stock, "_start", start);
  add_function(&stock, "f", "lw a0, .Ltable\n ret");
  add_data(&stock, ".data.v", "v", (const uint32_t[]){30}, 1);
  add_data(&stock, ".rodata.s", ".Lstring", (const uint32_t[]){12}, 1);
  add_data(&stock, ".rodata.t", ".Ltable", (const uint32_t[]){1000}, 1);
  set_local(&stock, "v");
  set_local(&stock, ".Lstring");
  set_local(&stock, ".Ltable");
  add_function(&compiled, "f", "lw a0, v\n lw a1, .Lstring\n add a0, a0, a1\n lw a1, .Ltable\n add a0, a0, a1\n ret");
  add_data(&compiled, ".rodata.t", ".Ltable", (const uint32_t[]){500}, 1);
  set_local(&compiled, ".Ltable");
  replace(&stock, &compiled);
  assert_int_equal(run(&stock, 1), 542);
}

/* A static function that a table and code refer to by section, and one that only the compiled unit has. */
static void references_by_section_go_to_the_compiled_function(void **state)
{
  (void)state;
  struct sl_object64 stock = make_unit("a.o"), compiled = make_unit("a.mir");
  uint32_t section;
  add_function(&stock, "_start",
               "lw t0, table\n jalr t0\n mv s0, a0\n la t0, f\n jalr t0\n add a0, a0, s0\n"
               " sw a0, 0x88(zero)");
  add_function(&stock, "f", "nop\n li a0, 1\n ret");
  set_local(&stock, "f");
  const struct sl_symbol64 label = {.name = strdup(""), .section = 1};
  assert_int_equal(sl_object64_add_symbol(&stock, &label, &section, NULL), SL_OK);
  struct sl_section64 *table = add_data(&stock, ".data.table", "table", (const uint32_t[]){0}, 1);
  add_fix(&stock, table, 0, SL_FIX_WORD, "f", 0);
  table->fixes[0].symbol = section;
  stock.sections[0].code[3].symbol = section;
  add_function(&compiled, "f", "mv s12, ra\n call g\n mv ra, s12\n ret");
  add_function(&compiled, "g", "li a0, 7\n ret");
  replace(&stock, &compiled);
  assert_int_equal(run(&stock, 1), 14);
}

/* COMDAT sections of two units stay one. */
static void groups_are_preserved(void **state)
{
  (void)state;
  struct sl_object64 stock[2] = {make_unit("a.o"), make_unit("b.o")}, compiled[2] = {make_unit("a"), make_unit("b")};
  add_function(&stock[0], "_start", start);
  for (unsigned i = 0; i < 2; i++) {
    add_function(&stock[i], "f", "li a0, 1\n ret")->group = strdup("f");
    add_function(&compiled[i], "f", i == 0 ? "li a0, 5\n ret" : "li a0, 6\n ret");
    replace(&stock[i], &compiled[i]);
  }
  assert_int_equal(run(stock, 2), 5);
}

static void an_inconsistent_unit_is_refused(void **state)
{
  (void)state;
  struct sl_object64 stock = make_unit("a.o"), compiled = make_unit("a.mir");
  struct sl_error err;
  add_function(&compiled, "f", "call g")->code[0].symbol = 9;
  assert_int_equal(sl_object64_replace(&stock, &compiled, &err), SL_INTERNAL);
  assert_non_null(strstr(err.text, "a.mir has an instruction whose symbol does not exist"));
  sl_object64_free(&stock);
  sl_object64_free(&compiled);
}

/* A function compiled by clang; its string and its static variable stay where clang placed them. */
static void functions_of_a_stock_compiler_are_replaced(void **state)
{
  (void)state;
  if (!cross_has(CROSS_CLANG))
    skip();
  struct cross c;
  char path[2 * CROSS_PATH];
  struct sl_object64 units[2] = {make_unit("start"), {0}}, compiled = make_unit("a.mir");
  struct sl_error err;
  cross_open(&c);
  cross_write(&c, "a.c",
              "static int count = 3;\nstatic __attribute__((noinline)) int g(int x) { count += x; return count; }\n"
              "int (*volatile pointer)(int) = g;\nint f(void) { return pointer(2) * 100 + g(1) + \"text\"[1]; }\n");
  cross_run(&c, CROSS_CLANG " " CROSS_ZFINX " -O1 -ffunction-sections -fdata-sections -c a.c");
  if (sl_rv32_object_read(cross_path(&c, "a.o", path), &units[1], &err) != SL_OK)
    fail_msg("%s", err.text);
  cross_close(&c);
  add_function(&units[0], "_start", "li sp, 0xfffe0000\n call f\n sw a0, 0x88(zero)");
  add_function(&compiled, "g", "lw x100, count\n sub x100, x100, a0\n sw x100, count\n mv a0, x100\n ret");
  replace(&units[1], &compiled);
  assert_int_equal(run(units, 2), 1 * 100 + 0 + 'e');
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_go_to_the_compiled_function),
      cmocka_unit_test(data_comes_from_the_stock_object),
      cmocka_unit_test(references_by_section_go_to_the_compiled_function),
      cmocka_unit_test(groups_are_preserved),
      cmocka_unit_test(an_inconsistent_unit_is_refused),
      cmocka_unit_test(functions_of_a_stock_compiler_are_replaced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
