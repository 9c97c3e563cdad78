/* Block frequencies, block placement, live ranges, and constants: each compared with results by hand for a small
 * function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/isa64/allocate/allocate.h"
#include "compiler/isa64/lir/lir.h"
#include "stages.h"

#define R(n) "  - { id: " #n ", class: gpr }\n"
#define HEAD "---\nname: f\nregisters:\n" R(0) R(1) R(2) R(3) R(4) R(5) R(6) "body: |\n"

static struct sl_mir_module read_text(const char *text)
{
  struct sl_mir_module module = {0};
  struct sl_error err = {0};
  if (sl_mir_read("text", text, strlen(text), &module, &err) != SL_OK)
    fail_msg("%s", err.text);
  if (module.function[0].refusal != NULL)
    fail_msg("%s", module.function[0].refusal);
  return module;
}

/* A loop of ten iterations on one of four paths, 3/4 of which take bb.3. */
static const char nest[] =
    HEAD "  bb.0:\n    successors: %bb.1(0x80000000)\n    %0:gpr = COPY $x10\n"
         "  bb.1:\n    successors: %bb.2(0x80000000)\n    %1:gpr = COPY $x0\n"
         "  bb.2:\n    successors: %bb.3(0x60000000), %bb.4(0x20000000)\n    BEQ %0, %1, %bb.4\n"
         "  bb.3:\n    successors: %bb.4(0x80000000)\n    %1:gpr = ADDI %1, 3\n"
         "  bb.4:\n    successors: %bb.2(0x73333333), %bb.5(0x0ccccccd)\n    BNE %1, $x0, %bb.2\n"
         "  bb.5:\n    successors: %bb.1(0x60000000), %bb.6(0x20000000)\n    BNE %0, %1, %bb.1\n"
         "  bb.6:\n    PseudoRET\n...\n";

static void loops_multiply_frequencies(void **state)
{
  (void)state;
  struct sl_mir_module m = read_text(nest);
  double frequency[7];
  assert_true(sl_frequencies(&m.function[0], frequency));
  static const double wanted[] = {1, 4, 40, 30, 40, 4, 1};
  for (size_t i = 0; i < 7; i++)
    assert_true(frequency[i] > wanted[i] * 0.999 && frequency[i] < wanted[i] * 1.001);
  sl_mir_free(&m);
}

/* An unreachable block, and an endless loop. */
static void odd_graphs_have_frequencies(void **state)
{
  (void)state;
  struct sl_mir_module m = read_text(HEAD "  bb.0:\n    successors: %bb.2(0x80000000)\n    PseudoBR %bb.2\n"
                                          "  bb.1:\n    successors: %bb.2(0x80000000)\n    PseudoBR %bb.2\n"
                                          "  bb.2:\n    successors: %bb.2(0x80000000)\n    PseudoBR %bb.2\n...\n");
  double frequency[3];
  assert_true(sl_frequencies(&m.function[0], frequency));
  assert_true(frequency[0] > 0.999 && frequency[0] < 1.001);
  assert_true(frequency[1] <= 0);
  assert_true(frequency[2] > 1000);
  sl_mir_free(&m);
}

/* Rare blocks move out of the path of frequent ones. */
static void frequent_paths_are_contiguous(void **state)
{
  (void)state;
  struct sl_mir_module m =
      read_text(HEAD "  bb.0:\n    successors: %bb.1(0x01000000), %bb.2(0x7f000000)\n    BNE $x10, $x0, %bb.2\n"
                     "  bb.1:\n    successors: %bb.3(0x80000000)\n    PseudoBR %bb.3\n"
                     "  bb.2:\n    successors: %bb.3(0x80000000)\n    PseudoBR %bb.3\n"
                     "  bb.3:\n    PseudoRET\n...\n");
  double frequency[4];
  uint32_t order[4];
  assert_true(sl_frequencies(&m.function[0], frequency));
  assert_true(sl_block_order(&m.function[0], frequency, order));
  static const uint32_t wanted[] = {0, 2, 3, 1};
  assert_memory_equal(order, wanted, sizeof wanted);
  sl_mir_free(&m);
}

/* %0 is written in two blocks and read after their join; %1 is not live between its parts; %2 is never read. */
static void registers_live_from_definitions_to_uses(void **state)
{
  (void)state;
  struct sl_mir_module m =
      read_text(HEAD "  bb.0:\n    successors: %bb.1(0x40000000), %bb.2(0x40000000)\n"
                     "    %1:gpr = LW $x10, 0\n"  /* 0 */
                     "    %2:gpr = LW %1, 0\n"    /* 1 */
                     "    BNE $x10, $x0, %bb.2\n" /* 2, 3: a jump */
                     "  bb.1:\n    successors: %bb.3(0x80000000)\n"
                     "    %0:gpr = LW $x11, 0\n" /* 4 */
                     "    PseudoBR %bb.3\n"      /* 5 */
                     "  bb.2:\n    successors: %bb.3(0x80000000)\n"
                     "    %0:gpr = LW $x12, 0\n" /* 6 */
                     "    PseudoBR %bb.3\n"      /* 7 */
                     "  bb.3:\n"
                     "    %1:gpr = ADDI %0, 1\n"                                                      /* 8 */
                     "    PseudoCALL target-flags(riscv-call) @g, csr_ilp32_lp64, implicit-def $x2\n" /* 9 */
                     "    $x10 = ADDI %1, 1\n"                                                        /* 10 */
                     "    PseudoRET implicit $x10\n...\n");                                           /* 11 */
  struct sl_lir lir;
  struct sl_lifetimes l;
  assert_int_equal(sl_lir_select(&m, &m.function[0], &lir, NULL), SL_OK);
  assert_true(sl_lifetimes_init(&l, &lir));
  assert_int_equal(lir.insn_count, 12);
  const uint32_t r0 = SL_LIR_VIRTUAL, r1 = r0 + 1, r2 = r0 + 2;
  assert_int_equal(sl_segment_count(&l, r0), 2);
  assert_int_equal(l.segment[l.first[r0]].start, 2 * 4 + 1);
  assert_int_equal(l.segment[l.first[r0]].end, 2 * 6);
  assert_int_equal(l.segment[l.first[r0] + 1].start, 2 * 6 + 1);
  assert_int_equal(l.segment[l.first[r0] + 1].end, 2 * 8 + 1);
  assert_int_equal(sl_segment_count(&l, r1), 2);
  assert_int_equal(l.segment[l.first[r1]].start, 1);
  assert_int_equal(l.segment[l.first[r1]].end, 2 * 1 + 1);
  assert_int_equal(l.segment[l.first[r2]].start, 2 * 1 + 1);
  assert_int_equal(l.segment[l.first[r2]].end, 2 * 1 + 2);
  assert_true(sl_alive_over_call(&l, r1));
  assert_false(sl_alive_over_call(&l, r0));
  assert_true(sl_alive(&l, 12, 2 * 3));  /* read in bb.2, after bb.0 */
  assert_false(sl_alive(&l, 12, 2 * 5)); /* not through bb.1 */
  assert_false(sl_alive(&l, 12, 2 * 7)); /* and dead after that */
  assert_false(sl_alive(&l, 10, 2 * 9));
  assert_true(sl_alive(&l, 10, 2 * 10 + 1));
  sl_lifetimes_free(&l);
  sl_lir_free(&lir);
  sl_mir_free(&m);
}

static void a_loop_keeps_what_it_reads_alive(void **state)
{
  (void)state;
  struct sl_mir_module m = read_text(nest);
  struct sl_lir lir;
  struct sl_lifetimes l;
  assert_int_equal(sl_lir_select(&m, &m.function[0], &lir, NULL), SL_OK);
  assert_true(sl_lifetimes_init(&l, &lir));
  const uint32_t r0 = SL_LIR_VIRTUAL;
  for (uint32_t b = 1; b < 6; b++) {
    const struct sl_lir_block *block = &lir.block[lir.placed[b]];
    assert_true(sl_alive(&l, r0, 2 * block->insn));
    assert_true(sl_alive(&l, r0, 2 * (block->insn + block->insn_count) - 1) || b == 5);
  }
  assert_false(sl_alive(&l, r0, 2 * lir.block[lir.placed[6]].insn));
  sl_lifetimes_free(&l);
  sl_lir_free(&lir);
  sl_mir_free(&m);
}

/* A value occupies its slot during its live range, and the slot is free after it. */
static void occupied_ranges_are_not_free(void **state)
{
  (void)state;
  struct sl_live_segment segment[] = {{1, 5}, {9, 12}, {5, 9}, {4, 6}};
  uint32_t first[] = {0, 2, 3, 4};
  const struct sl_lifetimes l = {.segment = segment, .first = first, .segment_count = 4};
  struct sl_assigned_segments o = {0};
  assert_true(sl_occupy(&o, 7, &l, 0));
  assert_true(sl_is_free(&o, 7, &l, 1));
  assert_false(sl_is_free(&o, 7, &l, 2));
  assert_true(sl_is_free(&o, 8, &l, 2));
  assert_true(sl_occupy(&o, 7, &l, 1));
  sl_vacate(&o, 7, &l, 0);
  assert_false(sl_is_free(&o, 7, &l, 2));
  assert_true(sl_is_free(&o, 7, &l, 0));
  sl_vacate(&o, 7, &l, 1);
  assert_true(sl_is_free(&o, 7, &l, 2));
  sl_occupancy_free(&o);
}

static const struct sl_lir_insn *with_op(const struct sl_lir *lir, unsigned op, size_t nth)
{
  for (size_t i = 0; i < lir->insn_count; i++)
    if (lir->insn[i].op == op && nth-- == 0)
      return &lir->insn[i];
  fail_msg("there is no such instruction");
  return NULL;
}

/* Constants of two parts, absolute addresses, an address with an index, and dead instructions. */
static void constants_become_immediates(void **state)
{
  (void)state;
  struct sl_mir_module m = read_text(
      HEAD "  bb.0:\n    %0:gpr = LUI 74565\n    %1:gpr = ADDI %0, 1656\n    %2:gpr = ADD $x10, %1\n"
           "    %3:gpr = LUI target-flags(riscv-hi) @v\n    %4:gpr = LW %3, target-flags(riscv-lo) @v\n"
           "    %5:gpr = PseudoMovAddr target-flags(riscv-hi) @t, target-flags(riscv-lo) @t\n"
           "    %6:gpr = ADD %5, %4\n    $x11 = LW %6, 4\n    SW %2, $x12, 0\n    PseudoRET implicit $x11\n...\n");
  struct sl_lir lir = selected(&m, "f");
  assert_int_equal(lir.insn_count, 5);
  const struct sl_lir_insn *add = with_op(&lir, SL_OP_ADDI, 0);
  assert_int_equal(add->imm, 0x12345678);
  assert_int_equal(sl_lir_field(&lir, add, SL_LIR_RS1), 10);
  const struct sl_lir_insn *v = with_op(&lir, SL_OP_LW, 0), *t = with_op(&lir, SL_OP_LW, 1);
  assert_int_equal(v->fix, SL_FIX_VALUE);
  assert_int_equal(sl_lir_field(&lir, v, SL_LIR_RS1), 0);
  assert_string_equal(m.text[v->target], "v");
  assert_int_equal(t->fix, SL_FIX_VALUE);
  assert_int_equal(t->imm, 4);
  assert_string_equal(m.text[t->target], "t");
  assert_int_equal(sl_lir_field(&lir, t, SL_LIR_RS1), SL_LIR_VIRTUAL + 4);
  sl_lir_free(&lir);
  sl_mir_free(&m);
}

/* Arithmetic on constants gives a constant; a constant operand becomes an immediate; 0 is x0. */
static void constants_are_folded(void **state)
{
  (void)state;
  static const struct {
    const char *lines;
    unsigned op;
    uint32_t imm;
  } cases[] = {
      {"%1:gpr = SLLI %0, 4\n    SW %1, $x11, 0", SL_OP_ADDI, 0x600},
      {"%1:gpr = SRLI %0, 4\n    SW %1, $x11, 0", SL_OP_ADDI, 6},
      {"%1:gpr = ANDI %0, 33\n    SW %1, $x11, 0", SL_OP_ADDI, 0x20},
      {"%1:gpr = ORI %0, 15\n    SW %1, $x11, 0", SL_OP_ADDI, 0x6f},
      {"%1:gpr = XORI %0, -1\n    SW %1, $x11, 0", SL_OP_ADDI, ~0x60u},
      {"%1:gpr = COPY %0\n    SW %1, $x11, 0", SL_OP_ADDI, 0x60},
      {"%1:gpr = SUB $x10, %0\n    SW %1, $x11, 0", SL_OP_ADDI, 0u - 0x60},
      {"%1:gpr = OR %0, $x10\n    SW %1, $x11, 0", SL_OP_ORI, 0x60},
      {"%1:gpr = XOR %0, $x10\n    SW %1, $x11, 0", SL_OP_XORI, 0x60},
      {"%1:gpr = AND $x10, %0\n    SW %1, $x11, 0", SL_OP_ANDI, 0x60},
      {"%1:gpr = SLT $x10, %0\n    SW %1, $x11, 0", SL_OP_SLTI, 0x60},
      {"%1:gpr = SLTU $x10, %0\n    SW %1, $x11, 0", SL_OP_SLTIU, 0x60},
      {"%1:gpr = SLL $x10, %0\n    SW %1, $x11, 0", SL_OP_SLLI, 0},
      {"%1:gpr = SRL $x10, %0\n    SW %1, $x11, 0", SL_OP_SRLI, 0},
      {"%1:gpr = SRA $x10, %0\n    SW %1, $x11, 0", SL_OP_SRAI, 0},
      {"SW $x10, %0, 4", SL_OP_SW, 0x64},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1000];
    snprintf(text, sizeof text, HEAD "  bb.0:\n    %%0:gpr = ADDI $x0, 96\n    %s\n    PseudoRET\n...\n",
             cases[i].lines);
    struct sl_mir_module m = read_text(text);
    struct sl_lir lir = selected(&m, "f");
    assert_int_equal(lir.insn_count, cases[i].op == SL_OP_SW ? 2 : 3);
    assert_int_equal(lir.insn[0].op, cases[i].op);
    assert_int_equal(lir.insn[0].imm, cases[i].imm);
    sl_lir_free(&lir);
    sl_mir_free(&m);
  }
  struct sl_mir_module m = read_text(
      HEAD "  bb.0:\n    %0:gpr = ADDI $x0, 0\n    %1:gpr = MUL $x10, %0\n    SW %1, $x11, 0\n    PseudoRET\n...\n");
  struct sl_lir lir = selected(&m, "f");
  assert_int_equal(lir.insn_count, 3);
  assert_int_equal(sl_lir_field(&lir, &lir.insn[0], SL_LIR_RS2), 0);
  sl_lir_free(&lir);
  sl_mir_free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_multiply_frequencies),       cmocka_unit_test(odd_graphs_have_frequencies),
      cmocka_unit_test(frequent_paths_are_contiguous),    cmocka_unit_test(registers_live_from_definitions_to_uses),
      cmocka_unit_test(a_loop_keeps_what_it_reads_alive), cmocka_unit_test(occupied_ranges_are_not_free),
      cmocka_unit_test(constants_become_immediates),      cmocka_unit_test(constants_are_folded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
