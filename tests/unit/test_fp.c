/* Floating point: results and flags of every row in all rounding modes, and the arithmetic of SIMTight's FPU, compared
 * with MPFR.
 *
 * Operands are all pairs of corner values (all triples of some of them for fused operations), then random ones from a
 * fixed seed. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "floats.h"
#include "isa/fp.h"
#include "isa/lanes.h"
#include "oracle.h"

enum { LANES = 64, A = 1, B = 2, C = 3, D = 4, REGISTERS = 5, RANDOM_CASES = 20000 };

/* Up to 64 cases at once, one per lane. */
struct batch {
  struct oracle oracle;
  unsigned op;
  unsigned count;
  uint32_t x[LANES][3];
  uint64_t cases; /* checked so far */
  uint64_t seed;
};

static void fail_case(const struct batch *b, unsigned lane, const char *mode, struct oracle_result expected,
                      uint32_t bits, uint32_t flags)
{
  const uint32_t *x = b->x[lane];
  fail_msg("%s %s of 0x%08x, 0x%08x, 0x%08x gives 0x%08x, flags 0x%02x; should be 0x%08x, 0x%02x",
           sl_op_info(b->op)->name, mode, x[0], x[1], x[2], bits, flags, expected.bits, expected.flags);
}

static void fill(const struct batch *b, uint32_t *x)
{
  for (unsigned l = 0; l < b->count; l++) {
    x[A * LANES + l] = b->x[l][0];
    x[B * LANES + l] = b->x[l][1];
    x[C * LANES + l] = b->x[l][2];
  }
}

/* The mode is in the instruction, or in frm. */
static void check_mode(struct batch *b, enum sl_fp_rounding mode)
{
  static const char *const names[] = {"rne", "rtz", "rdn", "rup", "rmm"};
  _Alignas(SL_CACHE_LINE) uint32_t x[REGISTERS * LANES] = {0};
  uint32_t flags[LANES] = {0};
  const bool dynamic = random_below(&b->seed, 2);
  const struct sl_insn in = {
      .op = (uint8_t)b->op, .rd = D, .rs1 = A, .rs2 = B, .rs3 = C, .word = (dynamic ? 7u : (unsigned)mode) << 12};
  fill(b, x);
  assert_true(sl_fp_execute(x, &in, sl_low_bits(b->count), LANES, dynamic ? mode : 7, flags));
  for (unsigned l = 0; l < b->count; l++) {
    const struct oracle_result expected = oracle(&b->oracle, b->op, b->x[l], mode);
    if (x[D * LANES + l] != expected.bits || flags[l] != expected.flags)
      fail_case(b, l, names[mode], expected, x[D * LANES + l], flags[l]);
  }
  b->cases += b->count;
}

/* SIMTight's FPU: to nearest, conversions to integers truncate, no flags. */
static void check_simtight(struct batch *b, const struct sl_lane_ops *ops)
{
  _Alignas(SL_CACHE_LINE) uint32_t x[REGISTERS * LANES] = {0};
  const struct sl_insn in = {.op = (uint8_t)b->op, .rd = D, .rs1 = A, .rs2 = B, .word = SL_FP_RUP << 12};
  const bool truncates = b->op == SL_OP_FCVT_W_S || b->op == SL_OP_FCVT_WU_S;
  fill(b, x);
  ops->execute[b->op](x, &in, sl_low_bits(b->count), 0, LANES);
  for (unsigned l = 0; l < b->count; l++) {
    const struct oracle_result expected = oracle(&b->oracle, b->op, b->x[l], truncates ? SL_FP_RTZ : SL_FP_RNE);
    if (x[D * LANES + l] != expected.bits)
      fail_case(b, l, ops->level, expected, x[D * LANES + l], 0);
  }
  b->cases += b->count;
}

static void check(struct batch *b)
{
  for (unsigned mode = 0; mode < SL_FP_ROUNDING_COUNT && b->count > 0; mode++)
    check_mode(b, (enum sl_fp_rounding)mode);
  if (b->count > 0 && ((unsigned)sl_op_info(b->op)->set & SL_ISA_SIMT_FPU)) {
    check_simtight(b, sl_lane_ops(LANES));
    check_simtight(b, sl_lane_ops_portable(LANES));
  }
  b->count = 0;
}

static void add(struct batch *b, uint32_t x, uint32_t y, uint32_t z)
{
  memcpy(b->x[b->count], (uint32_t[3]){x, y, z}, sizeof b->x[0]);
  if (++b->count == LANES)
    check(b);
}

/* Rows that read integers take the same operands: these include integer corners. */
static void add_corners(struct batch *b)
{
  const unsigned operands = oracle_operands(b->op), step = operands == 3 ? 5 : 1;
  for (unsigned i = 0; i < CORNER_FLOATS; i += step)
    for (unsigned j = 0; j < (operands > 1 ? CORNER_FLOATS : 1); j += step)
      for (unsigned k = 0; k < (operands > 2 ? CORNER_FLOATS : 1); k += step - (step > 1))
        add(b, corner_float(i), corner_float(j), corner_float(k));
  check(b);
}

static void add_random(struct batch *b)
{
  for (unsigned i = 0; i < RANDOM_CASES; i++) {
    const uint32_t x = random_float(&b->seed, random32(&b->seed)), y = random_float(&b->seed, x);
    add(b, x, y, random_float(&b->seed, i % 2 ? x : y));
  }
  check(b);
}

/* Sums that nearly cancel: c is near -(a * b), which shows the rounding. */
static void add_cancelling(struct batch *b)
{
  for (unsigned i = 0; i < RANDOM_CASES; i++) {
    const uint32_t x = random_float(&b->seed, 0x3f800000), y = random_float(&b->seed, x);
    uint32_t none = 0;
    const uint32_t product = sl_fp_mul(x, y, (enum sl_fp_rounding)random_below(&b->seed, 5), &none);
    add(b, x, y, (product + random_below(&b->seed, 5) - 2) ^ 0x80000000);
  }
  check(b);
}

static void every_row_agrees_with_mpfr_in_every_mode(void **state)
{
  (void)state;
  struct batch b = {.seed = 1};
  oracle_init(&b.oracle);
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    if (!sl_fp_has(op))
      continue;
    b.op = op;
    add_corners(&b);
    add_random(&b);
    if (oracle_fused(op))
      add_cancelling(&b);
  }
  oracle_free(&b.oracle);
  printf("%llu cases\n", (unsigned long long)b.cases);
}

/* All except loads and stores. */
static void every_floating_point_row_can_be_executed(void **state)
{
  (void)state;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    const bool memory = op == SL_OP_FLW || op == SL_OP_FSW;
    assert_int_equal(sl_fp_has(op), ((unsigned)info->set & SL_ISA_FULL_FLOAT) != 0 && !memory);
  }
}

/* Sections 11.2, 11.6 to 11.9, by hand. */
static void results_of_the_manual(void **state)
{
  (void)state;
  uint32_t flags = 0;
  assert_int_equal(sl_fp_madd(0x7f800000, 0, 0x7fc00000, SL_FP_RNE, &flags), 0x7fc00000);
  assert_int_equal(flags, SL_FP_INVALID); /* infinity * 0 + quiet NaN */
  flags = 0;
  assert_int_equal(sl_fp_min(0x7f800001, 0x3f800000, &flags), 0x3f800000);
  assert_int_equal(flags, SL_FP_INVALID);
  flags = 0;
  assert_int_equal(sl_fp_eq(0x7fc00000, 0, &flags), 0);
  assert_int_equal(flags, 0);
  assert_int_equal(sl_fp_lt(0x7fc00000, 0, &flags), 0);
  assert_int_equal(flags, SL_FP_INVALID);
  flags = 0;
  assert_int_equal(sl_fp_to_u32(0xbf800000, SL_FP_RNE, &flags), 0); /* -1 */
  assert_int_equal(flags, SL_FP_INVALID);
  flags = 0;
  assert_int_equal(sl_fp_to_u32(0xbf000000, SL_FP_RNE, &flags), 0); /* -0.5 */
  assert_int_equal(flags, SL_FP_INEXACT);
  assert_int_equal(sl_fp_to_u32(0x7fc00000, SL_FP_RNE, &flags), 0xffffffff);
  assert_int_equal(sl_fp_to_i32(0xffc00000, SL_FP_RNE, &flags), 0x7fffffff);
  assert_int_equal(sl_fp_classify(0x80000001), 1 << 2);
}

/* The product is 2^-126 - 2^-172: tiny before rounding, but not after. */
static void tininess_is_detected_after_rounding(void **state)
{
  (void)state;
  uint32_t flags = 0;
  assert_int_equal(sl_fp_mul(0x007fffff, 0x3f800001, SL_FP_RNE, &flags), 0x00800000);
  assert_int_equal(flags, SL_FP_INEXACT);
  flags = 0;
  assert_int_equal(sl_fp_mul(0x007fffff, 0x3f800001, SL_FP_RTZ, &flags), 0x007fffff);
  assert_int_equal(flags, SL_FP_INEXACT | SL_FP_UNDERFLOW);
}

static void only_active_lanes_change(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t x[REGISTERS * LANES];
  uint32_t flags[LANES];
  const sl_lanes active = UINT64_C(0x8000000100000f01);
  const struct sl_insn in = {.op = SL_OP_FDIV, .rd = D, .rs1 = A, .rs2 = B};
  for (unsigned i = 0; i < REGISTERS * LANES; i++)
    x[i] = i / LANES == A ? 0x3f800000 : i / LANES == D ? 77 : 0;
  for (unsigned l = 0; l < LANES; l++)
    flags[l] = SL_FP_OVERFLOW;
  assert_true(sl_fp_execute(x, &in, active, LANES, 0, flags));
  for (unsigned l = 0; l < LANES; l++) {
    const bool on = active >> l & 1;
    assert_int_equal(x[D * LANES + l], on ? 0x7f800000 : 77);
    assert_int_equal(flags[l], on ? SL_FP_OVERFLOW | SL_FP_DIVIDE_BY_ZERO : SL_FP_OVERFLOW);
  }
}

static void x0_keeps_its_value_but_flags_are_raised(void **state)
{
  (void)state;
  uint32_t x[4] = {0, 0x3f800000, 0, 0}, flags = 0;
  const struct sl_insn in = {.op = SL_OP_FDIV, .rd = 0, .rs1 = 1, .rs2 = 2};
  assert_true(sl_fp_execute(x, &in, 1, 1, 0, &flags));
  assert_int_equal(x[0], 0);
  assert_int_equal(flags, SL_FP_DIVIDE_BY_ZERO);
}

static void f0_is_an_ordinary_register(void **state)
{
  (void)state;
  uint32_t x[64] = {[3] = 7}, flags = 0;
  const struct sl_insn in = sl_decode(sl_op_info(SL_OP_FCVT_S_W)->match | 0 << 7 | 3 << 15, SL_ISA_F);
  assert_true(sl_fp_execute(x, &in, 1, 1, 0, &flags));
  assert_int_equal(x[32], 0x40e00000);
}

static void reserved_rounding_modes_are_refused(void **state)
{
  (void)state;
  for (unsigned field = 0; field < 8; field++)
    for (unsigned frm = 0; frm < 8; frm++) {
      uint32_t x[4] = {0, 0x3f800000, 0x3f800000, 5}, flags = 0;
      const bool legal = field < 5 || (field == 7 && frm < 5);
      struct sl_insn in = {.op = SL_OP_FADD, .rd = 3, .rs1 = 1, .rs2 = 2, .word = field << 12};
      assert_int_equal(sl_fp_execute(x, &in, 1, 1, frm, &flags), legal);
      assert_int_equal(x[3], legal ? 0x40000000 : 5);
      in.op = SL_OP_FMIN; /* has no rounding mode */
      assert_true(sl_fp_execute(x, &in, 1, 1, frm, &flags));
    }
}

/* In any host mode; the host's flags stay unchanged. */
static void results_do_not_depend_on_the_host_environment(void **state)
{
  (void)state;
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (unsigned i = 0; i < 3; i++) {
    uint32_t flags = 0;
    fesetround(modes[i]);
    feclearexcept(FE_ALL_EXCEPT);
    const uint32_t third = sl_fp_div(0x3f800000, 0x40400000, SL_FP_RNE, &flags);
    const uint32_t root = sl_fp_sqrt(0x40000000, SL_FP_RNE, &flags);
    const int raised = fetestexcept(FE_ALL_EXCEPT), mode = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(third, 0x3eaaaaab);
    assert_int_equal(root, 0x3fb504f3);
    assert_int_equal(raised, 0);
    assert_int_equal(mode, modes[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_agrees_with_mpfr_in_every_mode),
      cmocka_unit_test(every_floating_point_row_can_be_executed),
      cmocka_unit_test(results_of_the_manual),
      cmocka_unit_test(tininess_is_detected_after_rounding),
      cmocka_unit_test(only_active_lanes_change),
      cmocka_unit_test(x0_keeps_its_value_but_flags_are_raised),
      cmocka_unit_test(f0_is_an_ordinary_register),
      cmocka_unit_test(reserved_rounding_modes_are_refused),
      cmocka_unit_test(results_do_not_depend_on_the_host_environment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
