/* The reader of machine IR: golden files, and texts with one defect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"

#define HEAD                                                                                                           \
  "--- |\n  @.text = private constant [2 x i8] c\"a\\00\"\n  @data = global i32 0\n"                                   \
  "  define weak void @f() {\n    ret void\n  }\n  !1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n"               \
  "  !2 = distinct !DISubprogram(name: \"f\", file: !1, line: 2)\n  !3 = !DILocation(line: 7, column: 2, scope: !2)\n" \
  "...\n"
#define FUNCTION(body)                                                                                                 \
  "---\nname: f\nregisters:\n  - { id: 0, class: gpr }\n  - { id: 1, class: gprtc }\nstack: []\nbody: |\n" body "..."  \
  "\n"

static struct sl_mir_module read_text(const char *text)
{
  struct sl_mir_module module = {0};
  struct sl_error err = {0};
  if (sl_mir_read("text", text, strlen(text), &module, &err) != SL_OK)
    fail_msg("%s", err.text);
  return module;
}

static void every_golden_function_is_parsed(void **state)
{
  (void)state;
  static const char *const names[] = {"gemm", "gemm8", "gemm6f", "vecadd", "mixed"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct sl_mir_module module = golden(names[i]);
    for (size_t k = 0; k < module.function_count; k++)
      if (module.function[k].refusal != NULL)
        fail_msg("%s: %s", module.function[k].name, module.function[k].refusal);
    sl_mir_free(&module);
  }
}

/* Facts of mixed.c: 8 cases and a default; an array of unknown length; variadic with eight registers. */
static void functions_have_tables_objects_and_arguments(void **state)
{
  (void)state;
  struct sl_mir_module module = golden("mixed");
  const struct sl_mir_function *choose = function_of(&module, "choose");
  assert_int_equal(choose->table_count, 1);
  assert_int_equal(choose->table[0].target_count, 8);
  const struct sl_mir_function *vla = function_of(&module, "variable_length");
  assert_int_equal(vla->stack_count, 2);
  assert_int_equal(vla->stack[0].kind, SL_MIR_DYNAMIC_OBJECT);
  assert_int_equal(function_of(&module, "sum_of")->save_size, 32);
  assert_int_equal(function_of(&module, "aligned")->stack[0].alignment, 64);
  assert_true(function_of(&module, "twice")->local);
  assert_false(function_of(&module, "choose")->local);
  sl_mir_free(&module);
}

/* "return n < 2 ?" is in line 15 of mixed.c. */
static void instructions_know_their_line(void **state)
{
  (void)state;
  struct sl_mir_module module = golden("mixed");
  const struct sl_mir_function *f = function_of(&module, "fibonacci");
  bool found = false;
  for (size_t i = 0; i < f->insn_count; i++)
    if (f->insn[i].line != 0) {
      assert_in_range(f->insn[i].line, 14, 16);
      assert_string_equal(module.file[f->insn[i].file], "/source/mixed.c");
      found = true;
    }
  assert_true(found);
  sl_mir_free(&module);
}

static void successor_probabilities_sum_to_one(void **state)
{
  (void)state;
  struct sl_mir_module module = golden("mixed");
  for (size_t k = 0; k < module.function_count; k++) {
    const struct sl_mir_function *f = &module.function[k];
    for (size_t b = 0; b < f->block_count; b++) {
      double sum = 0;
      for (uint32_t e = 0; e < f->block[b].edge_count; e++)
        sum += f->edge[f->block[b].edge + e].probability;
      if (f->block[b].edge_count > 0)
        assert_true(sum > 0.999999 && sum < 1.000001);
    }
  }
  sl_mir_free(&module);
}

static void operands_match_the_text(void **state)
{
  (void)state;
  struct sl_mir_module m = read_text(
      HEAD FUNCTION("  bb.0 (%ir-block.0):\n    successors: %bb.7(0x20000000), %bb.0(0x60000000)\n    liveins: $x10\n\n"
                    "    %0:gpr = nsw ADDI $x10, -2048, debug-location !3\n"
                    "    early-clobber %1:gprtc, dead early-clobber %0:gpr = PseudoCmpXchg32 %0, %1, undef %0, 7 :: "
                    "(load store (s32) on %ir.p)\n"
                    "    DBG_VALUE %0, $noreg, !5, !DIExpression(DW_OP_LLVM_arg, 0), debug-location !3\n"
                    "    %0:gpr = LW %0, 4 :: (volatile load (s32) from %ir.\"p q\", !tbaa !1, addrspace 3)\n"
                    "    $x11 = LUI target-flags(riscv-hi) @.text + 8\n"
                    "    PseudoBR %bb.7\n"
                    "  bb.7.\"odd name\":\n    ; a comment\n    PseudoRET implicit $x10\n"));
  const struct sl_mir_function *f = &m.function[0];
  assert_null(f->refusal);
  assert_true(f->weak);
  assert_int_equal(f->block_count, 2);
  assert_int_equal(f->edge[0].block, 1);
  assert_true(f->edge[0].probability == 0.25);
  assert_int_equal(f->insn[0].opcode, SL_MIR_OP_ADDI);
  assert_int_equal(f->insn[0].line, 7);
  assert_string_equal(m.file[f->insn[0].file], "/d/a.c");
  assert_int_equal(f->operand[1].kind, SL_MIR_PHYSICAL);
  assert_int_equal(f->operand[1].number, 10);
  assert_int_equal(f->operand[2].value, -2048);
  assert_int_equal(f->operand[3].flags, SL_MIR_EARLY | SL_MIR_DEF);
  assert_int_equal(f->operand[7].flags, SL_MIR_UNDEF);
  assert_int_equal(f->insn[2].opcode, SL_MIR_OP_LW);
  assert_true(f->insn[2].shared);
  const struct sl_mir_operand *high = &f->operand[f->insn[3].operand + 1];
  assert_int_equal(high->target, SL_MIR_HIGH);
  assert_int_equal(high->value, 8);
  assert_string_equal(m.text[high->number], ".L.text");
  sl_mir_free(&m);
}

/* A refused function does not affect the next one, which is read. */
static void unknown_things_refuse_their_function(void **state)
{
  (void)state;
  static const struct {
    const char *line, *reason;
  } cases[] = {
      {"%0:gpr = FROBNICATE $x10", "the opcode 'FROBNICATE' is unknown"},
      {"%0:vr = ADDI $x10, 1", "the register class 'vr' is unknown"},
      {"%0:gpr = ADDI $v10, 1", "the register '$v10' is unknown"},
      {"%0:gpr = ADDI $x32, 1", "the register '$x32' is unknown"},
      {"%9:gpr = ADDI $x10, 1", "it refers to register %9, which does not exist"},
      {"%0:gpr = ADDI %0.sub_lo, 1", "the operand '%0.sub_lo' is unknown"},
      {"%0:gpr = ADDI blockaddress(@f, %ir-block.1), 1", "the operand 'blockaddress' is unknown"},
      {"%0:gpr = ADDI target-flags(riscv-got-hi) @data, 1", "the operand flag 'riscv-got-hi' is unknown"},
      {"PseudoCALL @f, csr_ilp32f_lp64f", "the operand 'csr_ilp32f_lp64f' is unknown"},
      {"PseudoBR %bb.3", "it refers to a block that does not exist"},
      {"%0:gpr = ADDI $x10, 1 pcsections !4", "'pcsections' is unknown"},
      {"%0:gpr ADDI $x10, 1", "'=' is missing after a result"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text, HEAD FUNCTION("  bb.0:\n    %s\n") "%s", cases[i].line,
             "---\nname: good\nbody: |\n  bb.0:\n    PseudoRET\n...\n");
    struct sl_mir_module m = read_text(text);
    assert_int_equal(m.function_count, 2);
    assert_non_null(m.function[0].refusal);
    if (strstr(m.function[0].refusal, cases[i].reason) == NULL)
      fail_msg("'%s': %s", cases[i].line, m.function[0].refusal);
    assert_null(m.function[1].refusal);
    sl_mir_free(&m);
  }
}

/* Properties of a function for which there is no code, with the reason. */
static void unsupported_properties_refuse_the_function(void **state)
{
  (void)state;
  static const struct {
    const char *facts, *reason;
  } cases[] = {
      {"exposesReturnsTwice: true", "exposesReturnsTwice"},
      {"frameInfo:\n  hasPatchPoint: true", "hasPatchPoint"},
      {"frameInfo:\n  stackProtector: '%stack.0'", "-fno-stack-protector"},
      {"registers:\n  - { class: gpr }", "no number"},
      {"stack:\n  - { id: 0, type: scalable, stack-id: default }", "unknown type 'scalable'"},
      {"stack:\n  - { id: 0, type: default, stack-id: scalable-vector }", "not supported"},
      {"stack:\n  - { id: 0, type: default, size: 2000000000, stack-id: default }", "too large"},
      {"constants:\n  - { id: 0, value: 'fp128 1', alignment: 16 }", "'fp128 1' is not supported"},
      {"constants:\n  - { id: 0, value: '[3 x i8] c\"ab\"', alignment: 1 }", "not supported"},
      {"constants:\n  - { id: 1, value: 'i32 1', alignment: 4 }", "not supported"},
      {"jumpTable:\n  kind: label-difference32\n  entries: []", "-fPIC"},
      {"jumpTable:\n  kind: block-address\n  entries:\n    - { id: 0, blocks: [ '%stack.1' ] }", "is not a block"},
      {"jumpTable:\n  kind: block-address\n  entries:\n    - { id: 0, blocks: [ '%bb.9' ] }", "does not exist"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1000];
    snprintf(text, sizeof text, "---\nname: f\n%s\nbody: |\n  bb.0:\n    PseudoRET\n...\n", cases[i].facts);
    struct sl_mir_module m = read_text(text);
    assert_non_null(m.function[0].refusal);
    if (strstr(m.function[0].refusal, cases[i].reason) == NULL)
      fail_msg("'%s': %s", cases[i].facts, m.function[0].refusal);
    sl_mir_free(&m);
  }
}

/* Objects that have been optimised away leave a gap. */
static void objects_keep_their_indices(void **state)
{
  (void)state;
  struct sl_mir_module m = read_text(
      "---\nname: f\nstack:\n  - { id: 1, type: default, size: 12, alignment: 4, stack-id: default }\n"
      "  - { id: 3, type: default, size: 5, alignment: 1, stack-id: default }\nbody: |\n  bb.0 (%ir-block.\"a "
      "b\", align 4):\n    PseudoRET\n...\n");
  assert_null(m.function[0].refusal);
  assert_int_equal(m.function[0].stack_count, 4);
  static const uint32_t sizes[] = {0, 12, 0, 5};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(m.function[0].stack[i].size, sizes[i]);
  sl_mir_free(&m);
}

static void other_text_is_an_error(void **state)
{
  (void)state;
  static const char *const texts[] = {"", "--- {\n", "---\nregisters: []\n...\n", "\x01"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    struct sl_mir_module module = {0};
    struct sl_error err = {0};
    assert_int_equal(sl_mir_read("text", texts[i], strlen(texts[i]), &module, &err), SL_USAGE);
    assert_true(err.text[0] != '\0');
    sl_mir_free(&module);
  }
}

/* Golden files with a piece missing: read or refused, never read beyond their end. */
static void damaged_files_do_not_crash(void **state)
{
  (void)state;
  size_t size;
  char *text = golden_text("gemm", &size);
  for (size_t at = 0; at < size; at += 97) {
    char *damaged = malloc(size);
    assert_non_null(damaged);
    memcpy(damaged, text, at);
    const size_t gone = size - at < 41 ? size - at : 41;
    memcpy(damaged + at, text + at + gone, size - at - gone);
    struct sl_mir_module module = {0};
    sl_mir_read("damaged", damaged, size - gone, &module, NULL);
    sl_mir_free(&module);
    free(damaged);
  }
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_golden_function_is_parsed),
      cmocka_unit_test(functions_have_tables_objects_and_arguments),
      cmocka_unit_test(instructions_know_their_line),
      cmocka_unit_test(successor_probabilities_sum_to_one),
      cmocka_unit_test(operands_match_the_text),
      cmocka_unit_test(unknown_things_refuse_their_function),
      cmocka_unit_test(unsupported_properties_refuse_the_function),
      cmocka_unit_test(objects_keep_their_indices),
      cmocka_unit_test(other_text_is_an_error),
      cmocka_unit_test(damaged_files_do_not_crash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
