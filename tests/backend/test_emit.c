/* Units of compiled functions: sections, symbols, source lines, relocations, and the words of pseudo-instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/isa64/compile_mir.h"
#include "golden.h"

static char assembled[200]; /* the assembler's input */

static enum sl_status assemble_nop(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                                   size_t *count, struct sl_error *err)
{
  (void)context;
  (void)object;
  (void)err;
  snprintf(assembled, sizeof assembled, "%s", text);
  *code = calloc(1, sizeof **code);
  (*code)->insn.op = SL_OP_FENCE_I;
  *count = 1;
  return SL_OK;
}

static struct sl_object64 compiled(const char *text, struct sl_backend_notes *notes)
{
  struct sl_backend_options options = sl_backend_defaults();
  struct sl_object64 object = {0};
  struct sl_error err = {0};
  options.assembler.assemble = assemble_nop;
  if (sl_compile_mir("text", text, strlen(text), &options, &object, notes, &err) != SL_OK)
    fail_msg("%s", err.text);
  return object;
}

#define R(n) "  - { id: " #n ", class: gpr }\n"
#define FUNCTION(name, body)                                                                                           \
  "---\nname: " name "\nregisters:\n" R(0) R(1) R(2) R(3) R(4) "body: |\n  bb.0:\n" body "...\n"

static const struct sl_symbol64 *symbol(const struct sl_object64 *object, const char *name)
{
  for (size_t i = 0; i < object->symbol_count; i++)
    if (strcmp(object->symbols[i].name, name) == 0)
      return &object->symbols[i];
  fail_msg("there is no symbol %s", name);
  return NULL;
}

static const struct sl_section64 *section(const struct sl_object64 *object, const char *name)
{
  for (size_t i = 0; i < object->section_count; i++)
    if (strcmp(object->sections[i].name, name) == 0)
      return &object->sections[i];
  fail_msg("there is no section %s", name);
  return NULL;
}

static void functions_have_sections_and_symbols(void **state)
{
  (void)state;
  struct sl_object64 object = compiled(
      "--- |\n  @.str = private constant [2 x i8] c\"a\\00\"\n  define internal void @f() section \".fast\" {\n"
      "  define weak_odr void @g() {\n...\n" FUNCTION(
          "f", "    $x10 = PseudoMovAddr target-flags(riscv-hi) @.str, target-flags(riscv-lo) @.str\n"
               "    PseudoTAIL target-flags(riscv-call) @g, implicit $x2, implicit $x10\n")
          FUNCTION("g", "    $x10 = LW $x0, target-flags(riscv-lo) @x + 12\n    PseudoRET implicit $x10\n")
              FUNCTION("h", "    PseudoRET\n"),
      NULL);
  const struct sl_symbol64 *f = symbol(&object, "f"), *g = symbol(&object, "g"), *h = symbol(&object, "h");
  assert_string_equal(object.sections[f->section].name, ".fast");
  assert_string_equal(object.sections[g->section].name, ".text.g");
  assert_string_equal(object.sections[h->section].name, ".text.h");
  assert_true(!f->global && g->global && g->weak && h->global && !h->weak && h->function);
  assert_int_equal(h->size, SL_WIDE_BYTES);
  assert_int_equal(symbol(&object, ".L.str")->section, SL_UNDEFINED64);
  assert_int_equal(symbol(&object, "x")->section, SL_UNDEFINED64);
  const struct sl_code64 *code = object.sections[f->section].code;
  assert_int_equal(object.sections[f->section].code_count, 2);
  assert_int_equal(code[0].fix, SL_FIX_VALUE);
  assert_ptr_equal(&object.symbols[code[0].symbol], symbol(&object, ".L.str"));
  assert_int_equal(code[1].fix, SL_FIX_PC);
  assert_int_equal(code[1].insn.rd, 0);
  assert_ptr_equal(&object.symbols[code[1].symbol], g);
  const struct sl_code64 *load = object.sections[g->section].code;
  assert_int_equal(load->fix, SL_FIX_LOW);
  assert_int_equal(load->addend, 12);
  sl_object64_free(&object);
}

/* choose() has eight cases; each entry is an address in the function. */
static void jump_tables_are_data_with_addresses(void **state)
{
  (void)state;
  size_t size;
  char *text = golden_text("mixed", &size);
  text[size] = '\0';
  struct sl_object64 object = compiled(text, NULL);
  const struct sl_section64 *table = section(&object, ".rodata.choose"), *code = section(&object, ".text.choose");
  assert_int_equal(table->size, 8 * 4);
  assert_int_equal(table->fix_count, 8);
  for (size_t i = 0; i < 8; i++) {
    const struct sl_data_fix64 *fix = &table->fixes[i];
    assert_int_equal(fix->fix, SL_FIX_WORD);
    assert_int_equal(fix->offset, 4 * i);
    assert_ptr_equal(&object.sections[object.symbols[fix->symbol].section], code);
    assert_true(fix->addend > 0 && (uint32_t)fix->addend < code->size && fix->addend % SL_WIDE_BYTES == 0);
  }
  assert_false(symbol(&object, "twice")->global);
  /* fibonacci() is in lines 13 to 16. */
  const struct sl_section64 *lines = section(&object, ".text.fibonacci");
  bool known = false;
  for (size_t i = 0; i < lines->code_count; i++) {
    known = known || lines->code[i].line == 15;
    assert_true(lines->code[i].line == 0 || (lines->code[i].line >= 13 && lines->code[i].line <= 16));
    if (lines->code[i].line != 0)
      assert_string_equal(object.files[lines->code[i].file], "/source/mixed.c");
  }
  assert_true(known);
  sl_object64_free(&object);
  free(text);
}

static const struct sl_code64 *code_of(const struct sl_object64 *object, size_t *count)
{
  const struct sl_section64 *s = section(object, ".text.f");
  *count = s->code_count;
  return s->code;
}

static void accesses_to_address_space_3_are_shared(void **state)
{
  (void)state;
  size_t count;
  struct sl_object64 object =
      compiled(FUNCTION("f", "    $x10 = LW $x11, 4 :: (load (s32) from %ir.p, addrspace 3)\n"
                             "    SW $x10, $x12, 8 :: (store (s32) into %ir.q, !tbaa !4, addrspace 3)\n"
                             "    SW $x10, $x12, 8 :: (store (s32) into %ir.q, addrspace 1)\n    PseudoRET\n"),
               NULL);
  const struct sl_code64 *code = code_of(&object, &count);
  assert_int_equal(code[0].insn.op, SL_OP_LW_SHARED);
  assert_int_equal(code[1].insn.op, SL_OP_SW_SHARED);
  assert_int_equal(code[2].insn.op, SL_OP_SW);
  sl_object64_free(&object);
}

static void thread_local_addresses_have_two_parts(void **state)
{
  (void)state;
  size_t count;
  struct sl_object64 object =
      compiled(FUNCTION("f", "    %0:gpr = LUI target-flags(riscv-tprel-hi) @t\n"
                             "    %1:gpr = PseudoAddTPRel %0, $x4, target-flags(riscv-tprel-add) @t\n"
                             "    $x10 = LW %1, target-flags(riscv-tprel-lo) @t\n    PseudoRET implicit $x10\n"),
               NULL);
  const struct sl_code64 *code = code_of(&object, &count);
  assert_int_equal(count, 4);
  assert_int_equal(code[0].fix, SL_FIX_TP_HIGH);
  assert_int_equal(code[1].insn.op, SL_OP_ADD);
  assert_int_equal(code[1].insn.rs2, 4);
  assert_int_equal(code[2].fix, SL_FIX_TP_LOW);
  sl_object64_free(&object);
}

static void templates_get_their_operands(void **state)
{
  (void)state;
  static const struct {
    const char *line, *text;
  } cases[] = {
      {"INLINEASM &\"add $0, $1, $2; nop $$ ${2:z}\\0A\", 1, 458762, def $x10, 458761, $x11, 13, 0, !3",
       "add a0, a1, 0; nop $ zero\n"},
      {"INLINEASM &nop, 1, 12, implicit-def dead early-clobber $x5", "nop"},
      {"INLINEASM &\"lw ${0:i} $1\", 9, 458762, def $x12, 262166, $x13, -8", "lw  -8(a3)"},
      {"INLINEASM &\"jal $0\", 1, 13, @g + 4", "jal g+4"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1000];
    size_t count;
    snprintf(text, sizeof text, FUNCTION("f", "    %s\n    PseudoRET\n"), cases[i].line);
    struct sl_object64 object = compiled(text, NULL);
    assert_string_equal(assembled, cases[i].text);
    assert_int_equal(code_of(&object, &count)[0].insn.op, SL_OP_FENCE_I);
    sl_object64_free(&object);
  }
}

/* Functions that cannot be compiled are omitted with a reason; the rest of the unit is complete. */
static void refused_functions_leave_nothing_behind(void **state)
{
  (void)state;
  static const struct {
    const char *line, *reason;
  } cases[] = {
      {"FROBNICATE", "unknown"},
      {"$x10 = LB $x11, 4 :: (load (s8) from %ir.p, addrspace 3)", "word accesses"},
      {"INLINEASM &\"$9\", 1", "in the template is unknown"},
      {"INLINEASM &\"$(a$|b$)\", 1", "in the template is unknown"},
      {"$x10 = LW %stack.0, 0", "does not exist"},
      {"$x10 = ADDI $x11", "too few operands"},
      {"$x10 = ADDI $x11, $x12", "not an immediate"},
      {"$x10 = ADD $x11, 5, $x12", "not a register"},
      {"$x10 = ADD $x11, implicit-def $x12", "in the wrong order"},
      {"$x10 = LW %const.0, 0", "does not exist"},
      {"PseudoRET 5", "not supported"},
      {"PseudoRET implicit $noreg", "not supported"},
      {"PseudoCALL %bb.0, csr_ilp32_lp64", "not a symbol"},
      {"ADJCALLSTACKDOWN 99999999, 0", "too many arguments"},
      {"INLINEASM 5, 1", "template is missing"},
      {"INLINEASM &\"nop\", 1, 0, $x5", "not supported"},
      {"INLINEASM &\"nop\", 1, $x5", "not supported"},
      {"INLINEASM &\"nop\", 1, 17, $x5, $x6", "more than one register"},
      {"INLINEASM &\"nop\", 1, 22, $x5, @g", "relative to a symbol"},
      {"INLINEASM &\"nop\", 1, 13, %bb.0", "neither number nor symbol"},
      {"INLINEASM &\"nop\", 1, 9, $frm", "not a register"},
      {"$x10 = LW $x11, @g + x", "not a number"},
      {"$x10 = ADD $x11, $x12(tied-def x)", "unknown mark"},
      {"$x10 = ADD $x11, $x12(tied-def 0", "not closed"},
      {"$x10 = ADDI $x11, %ir.x", "unknown"},
      {"$x10 = ADDI $x11, ~", "unknown"},
      {"$x10 = ADDI $x11, 12x", "unknown"},
      {"$x10 = ADDI $x11, !DILocation(", "unknown"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1000];
    struct sl_backend_notes notes;
    snprintf(text, sizeof text, FUNCTION("bad", "    %s\n    PseudoRET\n") "%s", cases[i].line,
             FUNCTION("f", "    PseudoRET\n"));
    struct sl_object64 object = compiled(text, &notes);
    assert_int_equal(notes.function_count, 2);
    assert_non_null(notes.function[0].refusal);
    if (strstr(notes.function[0].refusal, cases[i].reason) == NULL)
      fail_msg("'%s': %s", cases[i].line, notes.function[0].refusal);
    assert_null(notes.function[1].refusal);
    assert_int_equal(notes.function[1].instructions, 1);
    assert_int_equal(object.section_count, 1);
    for (size_t k = 0; k < object.symbol_count; k++)
      assert_string_not_equal(object.symbols[k].name, "bad");
    sl_backend_notes_free(&notes);
    sl_object64_free(&object);
  }
}

/* Without an assembler, inline assembly is a reason to refuse. */
static void assembly_needs_an_assembler(void **state)
{
  (void)state;
  size_t size;
  char *text = golden_text("vecadd", &size);
  struct sl_backend_options options = sl_backend_defaults();
  struct sl_backend_notes notes;
  struct sl_object64 object;
  struct sl_error err;
  assert_int_equal(sl_compile_mir("vecadd", text, size, &options, &object, &notes, &err), SL_OK);
  assert_non_null(strstr(notes.function[0].refusal, "no assembler"));
  assert_int_equal(object.section_count, 0);
  sl_backend_notes_free(&notes);
  sl_object64_free(&object);
  free(text);
}

static void constants_are_in_a_data_section(void **state)
{
  (void)state;
  struct sl_object64 object =
      compiled("---\nname: f\nregisters: []\nconstants:\n"
               "  - { id: 0, value: '[4 x i8] c\"ab\\00\\FF\"', alignment: 1 }\n"
               "  - { id: 1, value: 'float 1.500000e+00', alignment: 4 }\n"
               "  - { id: 2, value: 'double 0x4009000000000000', alignment: 8 }\n"
               "  - { id: 3, value: 'i32 -2', alignment: 4 }\nbody: |\n  bb.0:\n"
               "    $x10 = PseudoMovAddr target-flags(riscv-hi) %const.2, target-flags(riscv-lo) %const.2\n"
               "    PseudoRET implicit $x10\n...\n",
               NULL);
  static const uint8_t wanted[] = {'a', 'b', 0, 0xff, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0, 9, 0x40, 0xfe, 255, 255, 255};
  const struct sl_section64 *data = section(&object, ".rodata.f");
  size_t count;
  assert_int_equal(data->size, sizeof wanted);
  assert_int_equal(data->alignment, 8);
  assert_memory_equal(data->bytes, wanted, sizeof wanted);
  assert_int_equal(code_of(&object, &count)[0].addend, 8);
  sl_object64_free(&object);
}

/* One line each, and the text of its word. */
static void every_form_has_its_word(void **state)
{
  (void)state;
  static const struct {
    const char *line, *text;
  } cases[] = {
      {"$x10 = LUI 74565", "addi\ta0,zero,305418240"},
      {"$x10 = ADDI $x11, 0xfff", "addi\ta0,a1,4095"},
      {"$x10 = nsw ADDI renamable $x11, -1, debug-location !DILocation(line: 3, scope: !4)", "addi\ta0,a1,-1"},
      {"$x10 = SRAI $x11, 7", "srai\ta0,a1,0x7"},
      {"$x10 = MULHSU $x11, killed $x12", "mulhsu\ta0,a1,a2"},
      {"$x10 = LHU $x11, -6", "lhu\ta0,-6(a1)"},
      {"SB $x10, $x11, 2047", "sb\ta0,2047(a1)"},
      {"$x10 = AMOMAXU_W_AQ $x11, $x12", "amomaxu.w.aq\ta0,a2,(a1)"},
      {"$x10 = AMOSWAP_W_RL $x11, $x12", "amoswap.w.rl\ta0,a2,(a1)"},
      {"$x10 = LR_W_AQ_RL $x11", "lr.w.aqrl\ta0,(a1)"},
      {"$x10 = SC_W $x11, $x12", "sc.w\ta0,a2,(a1)"},
      {"$x10 = CSRRS 3072, $x0", "csrrs\ta0,cycle,zero"},
      {"$x10 = CSRRWI 2, 5", "csrrwi\ta0,frm,5"},
      {"FENCE 1, 2", "fence\tw,r"},
      {"FENCE_TSO", "fence\trw,rw"},
      {"ECALL", "ecall"},
      {"UNIMP", "csrrw\tzero,cycle,zero"},
      {"$x10 = nofpexcept FMADD_S_INX $x11, $x12, $x13, 7, implicit $frm", "fmadd.s\ta0,a1,a2,a3"},
      {"$x10 = FCVT_W_S_INX $x11, 1", "fcvt.w.s\ta0,a1,rtz"},
      {"$x10 = FCLASS_S_INX $x11", "fclass.s\ta0,a1"},
      {"$x10 = FSGNJN_S_INX $x11, $x12", "fsgnjn.s\ta0,a1,a2"},
      {"$x10 = COPY $x17", "addi\ta0,a7,0"},
      {"$x10 = COPY $x0", "addi\ta0,zero,0"},
      {"PseudoBRIND $x10, 8", "jalr\tzero,8(a0)"},
      {"PseudoCALLIndirect $x10, csr_ilp32_lp64, implicit-def dead $x1", NULL},
      {"PseudoTAILIndirect $x10, implicit $x2", "jalr\tzero,0(a0)"},
      {"$x10 = ADD $x11, undef $x12", "add\ta0,a1,zero"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1000], shown[100];
    size_t count;
    snprintf(text, sizeof text, FUNCTION("f", "    %s\n    PseudoRET\n"), cases[i].line);
    struct sl_backend_notes notes;
    struct sl_object64 object = compiled(text, &notes);
    if (notes.function[0].refusal != NULL)
      fail_msg("%s", notes.function[0].refusal);
    const struct sl_insn in =
        sl_wide_decode(sl_wide_encode(&code_of(&object, &count)[0].insn),
                       SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_WIDE);
    sl_disassemble(&in, 0, shown, sizeof shown);
    if (cases[i].text != NULL)
      assert_string_equal(shown, cases[i].text);
    else
      assert_int_equal(count, 6); /* frame, ra saved, jump, ra restored, frame; the return */
    sl_backend_notes_free(&notes);
    sl_object64_free(&object);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_have_sections_and_symbols),
      cmocka_unit_test(jump_tables_are_data_with_addresses),
      cmocka_unit_test(every_form_has_its_word),
      cmocka_unit_test(accesses_to_address_space_3_are_shared),
      cmocka_unit_test(thread_local_addresses_have_two_parts),
      cmocka_unit_test(templates_get_their_operands),
      cmocka_unit_test(refused_functions_leave_nothing_behind),
      cmocka_unit_test(assembly_needs_an_assembler),
      cmocka_unit_test(constants_are_in_a_data_section),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
