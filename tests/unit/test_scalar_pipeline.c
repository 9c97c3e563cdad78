/* The scalar pipeline's queue, and its choice of instructions and operands (specification, section 10). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing/pipeline/scalar_pipeline.h"
#include "words.h"

static struct sl_scalar_pipeline make_pipeline(void)
{
  struct sl_scalar_pipeline p;
  memset(&p, 0, sizeof p);
  sl_scalar_start(&p);
  return p;
}

/* The warp that executes in a cycle, -1 for none. */
static int executes(const struct sl_scalar_pipeline *p, int64_t cycle)
{
  return p->pipeline[cycle % SL_SCALAR_RING];
}

/* ---- the queue --------------------------------------------------------------------------------------------------- */

static void a_warp_that_enters_can_be_picked_in_the_next_cycle(void **state)
{
  (void)state;
  struct sl_scalar_pipeline p = make_pipeline();
  sl_scalar_enter(&p, sl_bit(3));
  sl_scalar_schedule(&p, 0, 10);
  assert_int_equal(executes(&p, 15), -1);
  sl_scalar_clock(&p);
  sl_scalar_schedule(&p, 0, 11);
  assert_int_equal(executes(&p, 16), 3);
  assert_true(p.queue == 0);
}

static void a_picked_warp_executes_five_cycles_later(void **state)
{
  (void)state;
  for (int64_t u = 40; u < 48; u++) {
    struct sl_scalar_pipeline p = make_pipeline();
    p.queue = sl_bit(7);
    sl_scalar_schedule(&p, 0, u);
    for (int64_t c = u; c < u + SL_SCALAR_RING; c++)
      assert_int_equal(executes(&p, c), c == u + 5 ? 7 : -1);
  }
}

static void busy_warps_stay_in_the_queue(void **state)
{
  (void)state;
  struct sl_scalar_pipeline p = make_pipeline();
  p.queue = 0x0c;
  sl_scalar_schedule(&p, 0x04, 10);
  assert_int_equal(executes(&p, 15), 3);
  sl_scalar_schedule(&p, 0x04, 11);
  assert_int_equal(executes(&p, 16), -1);
  assert_true(p.queue == 0x04);
  assert_int_equal(p.in_pipeline, 1);
}

static void the_pick_history_survives_kernels(void **state)
{
  (void)state;
  struct sl_scalar_pipeline p = make_pipeline();
  p.queue = 0x07;
  sl_scalar_schedule(&p, 0, 0);
  sl_scalar_schedule(&p, 0, 1);
  assert_int_equal(executes(&p, 5), 0);
  assert_int_equal(executes(&p, 6), 1);
  sl_scalar_start(&p);
  p.queue = 0x07;
  sl_scalar_schedule(&p, 0, 0);
  sl_scalar_schedule(&p, 0, 1);
  assert_int_equal(executes(&p, 5), 2);
  assert_int_equal(executes(&p, 6), 0);
}

static void residents_are_counted_from_entering(void **state)
{
  (void)state;
  struct sl_scalar_pipeline p = make_pipeline();
  sl_scalar_enter(&p, 0x30);
  assert_int_equal(p.resident, 2);
  sl_scalar_clock(&p);
  sl_scalar_schedule(&p, 0, 0); /* in the pipeline they still are */
  assert_int_equal(p.resident, 2);
}

static void it_is_idle_with_waiting_warps_only(void **state)
{
  (void)state;
  struct sl_scalar_pipeline p = make_pipeline();
  assert_true(sl_scalar_idle(&p));
  sl_scalar_enter(&p, 0x30);
  assert_false(sl_scalar_idle(&p));
  sl_scalar_clock(&p);
  assert_true(sl_scalar_idle(&p));
  sl_scalar_schedule(&p, 0x30, 0);
  assert_true(sl_scalar_idle(&p));
  sl_scalar_schedule(&p, 0, 1);
  assert_false(sl_scalar_idle(&p));
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void scalar_instructions_are_exactly_these(void **state)
{
  (void)state;
  static const enum sl_op ops[] = {
      SL_OP_ADD,    SL_OP_ADDI, SL_OP_SUB,  SL_OP_SLT,  SL_OP_SLTI, SL_OP_SLTU, SL_OP_SLTIU, SL_OP_AND,
      SL_OP_ANDI,   SL_OP_OR,   SL_OP_ORI,  SL_OP_XOR,  SL_OP_XORI, SL_OP_LUI,  SL_OP_AUIPC, SL_OP_SLL,
      SL_OP_SLLI,   SL_OP_SRL,  SL_OP_SRLI, SL_OP_SRA,  SL_OP_SRAI, SL_OP_JAL,  SL_OP_JALR,  SL_OP_BEQ,
      SL_OP_BNE,    SL_OP_BLT,  SL_OP_BGE,  SL_OP_BLTU, SL_OP_BGEU, SL_OP_MUL,  SL_OP_MULH,  SL_OP_MULHU,
      SL_OP_MULHSU, SL_OP_DIV,  SL_OP_DIVU, SL_OP_REM,  SL_OP_REMU, SL_OP_PUSH, SL_OP_POP,
  };
  for (unsigned op = 0; op < SL_OP_COUNT; op++) {
    bool expected = false;
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++)
      expected |= ops[i] == op;
    if (sl_scalarisable(op) != expected)
      fail_msg("%s %s scalarisable", sl_op_info(op)->name, expected ? "is" : "is not");
  }
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

enum { UNIFORM = 5, AFFINE = 6, VECTOR = 7, SPILLED = 8, ZERO = 9, FREE = 10, OTHER = 11 };

/* A register of each kind; FREE and OTHER are uniform, as all others. */
static struct sl_warp_registers make_registers(void)
{
  struct sl_warp_registers r = {
      .vector = 1u << VECTOR, .spilled = 1u << SPILLED, .affine = 1u << AFFINE, .zero = 1u << ZERO};
  r.stride[AFFINE] = 4;
  r.base[AFFINE] = 1024;
  return r;
}

static bool accepts(uint32_t word)
{
  const struct sl_warp_registers r = make_registers();
  const struct sl_insn in = sl_decode(word, simtight_sets());
  const struct sl_operands operands = sl_operands_of(&in);
  return sl_scalar_accepts(&r, &operands);
}

static void operands_must_be_uniform(void **state)
{
  (void)state;
  assert_true(accepts(word_r(SL_OP_XOR, FREE, UNIFORM, OTHER)));
  assert_true(accepts(word_r(SL_OP_XOR, VECTOR, UNIFORM, 0))); /* rd does not matter */
  for (unsigned reg = AFFINE; reg <= ZERO; reg++) {
    assert_false(accepts(word_r(SL_OP_XOR, FREE, reg, UNIFORM)));
    assert_false(accepts(word_r(SL_OP_XOR, FREE, UNIFORM, reg)));
    assert_false(accepts(word_i(SL_OP_XORI, FREE, reg, 1)));
    assert_false(accepts(word_b(SL_OP_BEQ, reg, UNIFORM, 8)));
    assert_false(accepts(word_i(SL_OP_JALR, FREE, reg, 0)));
    assert_false(accepts(word_r(SL_OP_MUL, FREE, UNIFORM, reg)));
  }
}

static void unread_operands_are_ignored(void **state)
{
  (void)state;
  /* Their immediates have the bits of VECTOR in another format's source field. */
  assert_true(accepts(word_u(SL_OP_LUI, FREE, VECTOR << 3 | VECTOR << 8)));
  assert_true(accepts(word_j(SL_OP_JAL, FREE, 0x7f0)));
  assert_true(accepts(word_i(SL_OP_XORI, FREE, UNIFORM, VECTOR)));
  assert_true(accepts(word_i(SL_OP_SLLI, FREE, UNIFORM, VECTOR)));
}

static void an_addition_takes_one_affine_operand(void **state)
{
  (void)state;
  assert_true(accepts(word_r(SL_OP_ADD, FREE, UNIFORM, AFFINE)));
  assert_true(accepts(word_r(SL_OP_ADD, FREE, AFFINE, UNIFORM)));
  assert_true(accepts(word_r(SL_OP_ADD, FREE, AFFINE, 0)));
  assert_true(accepts(word_i(SL_OP_ADDI, FREE, AFFINE, 1)));
  assert_false(accepts(word_r(SL_OP_ADD, FREE, AFFINE, AFFINE)));
  assert_false(accepts(word_r(SL_OP_SUB, FREE, AFFINE, UNIFORM)));
  for (unsigned reg = VECTOR; reg <= ZERO; reg++) {
    assert_false(accepts(word_r(SL_OP_ADD, FREE, AFFINE, reg)));
    assert_false(accepts(word_r(SL_OP_ADD, FREE, reg, UNIFORM)));
    assert_false(accepts(word_i(SL_OP_ADDI, FREE, reg, 1)));
  }
}

static bool misfits(unsigned stride, uint32_t word, uint32_t addend)
{
  struct sl_warp_registers r = make_registers();
  const struct sl_insn in = sl_decode(word, simtight_sets());
  r.stride[AFFINE] = (uint8_t)stride;
  r.base[UNIFORM] = addend;
  return sl_scalar_misfit(&r, &in, 32);
}

static void an_addend_must_be_a_multiple_of_lanes_times_stride(void **state)
{
  (void)state;
  for (unsigned stride = 1; stride <= 4; stride *= 2) {
    const uint32_t fitting = 32 * stride;
    for (unsigned swapped = 0; swapped < 2; swapped++) {
      const uint32_t word =
          swapped ? word_r(SL_OP_ADD, FREE, UNIFORM, AFFINE) : word_r(SL_OP_ADD, FREE, AFFINE, UNIFORM);
      assert_false(misfits(stride, word, 0));
      assert_false(misfits(stride, word, 7 * fitting));
      assert_false(misfits(stride, word, 0u - fitting));
      assert_true(misfits(stride, word, fitting - 1));
      assert_true(misfits(stride, word, fitting / 2));
      assert_true(misfits(stride, word, 1));
    }
    assert_false(misfits(stride, word_i(SL_OP_ADDI, FREE, AFFINE, (int)fitting), 1));
    assert_true(misfits(stride, word_i(SL_OP_ADDI, FREE, AFFINE, (int)fitting / 2), 1));
  }
}

static void uniform_sums_and_other_instructions_always_fit(void **state)
{
  (void)state;
  assert_false(misfits(4, word_r(SL_OP_ADD, FREE, UNIFORM, UNIFORM), 1));
  assert_false(misfits(4, word_i(SL_OP_ADDI, FREE, UNIFORM, 1), 1));
  assert_false(misfits(4, word_r(SL_OP_SUB, FREE, UNIFORM, OTHER), 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warp_that_enters_can_be_picked_in_the_next_cycle),
      cmocka_unit_test(a_picked_warp_executes_five_cycles_later),
      cmocka_unit_test(busy_warps_stay_in_the_queue),
      cmocka_unit_test(the_pick_history_survives_kernels),
      cmocka_unit_test(residents_are_counted_from_entering),
      cmocka_unit_test(it_is_idle_with_waiting_warps_only),
      cmocka_unit_test(scalar_instructions_are_exactly_these),
      cmocka_unit_test(operands_must_be_uniform),
      cmocka_unit_test(unread_operands_are_ignored),
      cmocka_unit_test(an_addition_takes_one_affine_operand),
      cmocka_unit_test(an_addend_must_be_a_multiple_of_lanes_times_stride),
      cmocka_unit_test(uniform_sums_and_other_instructions_always_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
