/* Floating point on the host's FPU: every row, in every build and lane count, gives the results of the integer
 * arithmetic in isa/fp.c and the union of its flags over the active lanes. (test_fp.c compares that with MPFR.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "floats.h"
#include "isa/fp.h"
#include "isa/host_level.h"
#include "isa/lanes.h"

#ifdef SL_X86_LEVELS
#include <xmmintrin.h>
#endif

enum { A = 1, B = 2, C = 3, D = 4, REGISTERS = 5, MOST_WORDS = REGISTERS * SL_MAX_LANES };

struct build {
  const struct sl_fp_ops *ops;
  unsigned lanes;
};

enum { MOST_BUILDS = 40 };

#define DECLARE(level)                                                                                                 \
  extern const struct sl_fp_ops sl_fp_ops_##level##_16, sl_fp_ops_##level##_32, sl_fp_ops_##level##_n;
#ifdef SL_X86_LEVELS
DECLARE(baseline)
#ifdef SL_LEVEL_AVX2
DECLARE(avx2)
#endif
#ifdef SL_LEVEL_AVX512
DECLARE(avx512)
#endif

static unsigned add_builds(struct build *builds, unsigned n, const struct sl_fp_ops *any,
                           const struct sl_fp_ops *sixteen, const struct sl_fp_ops *thirty_two)
{
  static const unsigned counts[] = {1, 2, 4, 8, 16, 31, 32, 33, 64};
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
    builds[n++] = (struct build){any, counts[i]};
  builds[n++] = (struct build){sixteen, 16};
  builds[n++] = (struct build){thirty_two, 32};
  return n;
}
#endif

/* Every table that this host can run; the host cannot select tables above its level. */
static unsigned all_builds(struct build builds[MOST_BUILDS])
{
  unsigned n = 0;
  builds[n++] = (struct build){sl_fp_ops_portable(), 16};
#ifdef SL_X86_LEVELS
  n = add_builds(builds, n, &sl_fp_ops_baseline_n, &sl_fp_ops_baseline_16, &sl_fp_ops_baseline_32);
#ifdef SL_LEVEL_AVX2
  if (sl_host_level() >= SL_HOST_AVX2)
    n = add_builds(builds, n, &sl_fp_ops_avx2_n, &sl_fp_ops_avx2_16, &sl_fp_ops_avx2_32);
#endif
#ifdef SL_LEVEL_AVX512
  if (sl_host_level() == SL_HOST_AVX512)
    n = add_builds(builds, n, &sl_fp_ops_avx512_n, &sl_fp_ops_avx512_16, &sl_fp_ops_avx512_32);
#endif
#endif
  return n;
}

struct warp_case {
  const struct build *build;
  struct sl_insn in;
  sl_lanes active;
  unsigned mode;
  uint32_t flags; /* raised before */
  uint32_t x[MOST_WORDS];
};

/* Executes a case both ways. */
static void check(const struct warp_case *t)
{
  _Alignas(SL_CACHE_LINE) uint32_t fast[MOST_WORDS], slow[MOST_WORDS];
  uint32_t each[SL_MAX_LANES] = {0}, fast_flags = t->flags, slow_flags = t->flags;
  const unsigned lanes = t->build->lanes;
  memcpy(fast, t->x, sizeof fast);
  memcpy(slow, t->x, sizeof slow);
  const bool legal = sl_fp_execute(slow, &t->in, t->active, lanes, t->mode, each);
  for (unsigned l = 0; l < lanes; l++)
    slow_flags |= each[l];
  assert_int_equal(sl_fp_execute_warp(t->build->ops, fast, &t->in, t->active, lanes, t->mode, &fast_flags), legal);
  for (unsigned i = 0; i < MOST_WORDS; i++)
    if (fast[i] != slow[i])
      fail_msg("%s mode %u of 0x%08x, 0x%08x, 0x%08x gives 0x%08x instead of 0x%08x: lane %u of %u, level %s",
               sl_op_info(t->in.op)->name, t->mode, t->x[A * lanes + i % lanes], t->x[B * lanes + i % lanes],
               t->x[C * lanes + i % lanes], fast[i], slow[i], i % lanes, lanes, t->build->ops->level);
  if (fast_flags != slow_flags)
    fail_msg("%s mode %u raises 0x%02x instead of 0x%02x on lanes 0x%llx of %u, level %s (lane 0: 0x%08x, 0x%08x, "
             "0x%08x)",
             sl_op_info(t->in.op)->name, t->mode, fast_flags, slow_flags, (unsigned long long)t->active, lanes,
             t->build->ops->level, t->x[A * lanes], t->x[B * lanes], t->x[C * lanes]);
}

/* Operands of all registers; `calm` ones raise few flags, so that flags of single lanes show. */
static void fill(struct warp_case *t, bool calm, uint64_t *seed)
{
  for (unsigned i = 0; i < REGISTERS * t->build->lanes; i++) {
    const uint32_t other = i > 0 ? t->x[i - 1] : 0x3f800000;
    t->x[i] =
        calm && random_below(seed, 16) != 0 ? 0x3f800000 + (random_below(seed, 4) << 23) : random_float(seed, other);
  }
}

/* One active lane, some or all, never none; inactive lanes have operands that would raise flags. */
static sl_lanes random_active(uint64_t *seed, unsigned lanes)
{
  const sl_lanes all = sl_low_bits(lanes), some = random64(seed) & all;
  switch (random_below(seed, 3)) {
  case 0: return UINT64_C(1) << random_below(seed, lanes);
  case 1: return all;
  default: return some != 0 ? some : all;
  }
}

static void every_row_in_every_build_agrees_with_integer_arithmetic(void **state)
{
  (void)state;
  struct build builds[MOST_BUILDS];
  const unsigned count = all_builds(builds);
  uint64_t seed = 1;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; i < count && sl_fp_has(op); i++)
      for (unsigned round = 0; round < 300; round++) {
        const unsigned field = random_below(&seed, 8), rd = random_below(&seed, 8);
        struct warp_case t = {.build = &builds[i], .mode = random_below(&seed, 8)};
        t.in = (struct sl_insn){
            .op = (uint8_t)op, .rs1 = A, .rs2 = B, .rs3 = C, .rd = rd < 5 ? (uint8_t)rd : D, .word = field << 12};
        t.active = random_active(&seed, t.build->lanes);
        t.flags = random_below(&seed, 4) == 0 ? 1u << random_below(&seed, 5) : 0;
        fill(&t, round % 2 != 0, &seed);
        check(&t);
      }
}

/* One lane has the operands, for flags by lane rather than by warp; all pairs of corners. */
static void every_pair_of_corner_operands_agrees_in_every_mode(void **state)
{
  (void)state;
  const struct build build = {sl_fp_ops(16), 16};
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned pair = 0; pair < CORNER_FLOATS * CORNER_FLOATS && sl_fp_has(op); pair++) {
      struct warp_case t = {.build = &build, .active = UINT64_C(1) << pair % 16, .mode = pair % 5};
      t.in = (struct sl_insn){.op = (uint8_t)op, .rs1 = A, .rs2 = B, .rs3 = C, .rd = D, .word = 7u << 12};
      for (unsigned l = 0; l < 16; l++) {
        t.x[A * 16 + l] = corner_float(pair % CORNER_FLOATS);
        t.x[B * 16 + l] = corner_float(pair / CORNER_FLOATS);
        t.x[C * 16 + l] = corner_float((pair + pair / CORNER_FLOATS) % CORNER_FLOATS);
      }
      for (t.mode = 0; t.mode < SL_FP_ROUNDING_COUNT; t.mode++)
        check(&t);
    }
}

/* MXCSR flags of one warp, or of the caller, do not reach another warp, also without enter and leave. */
static void warps_have_separate_flags(void **state)
{
  (void)state;
  _Alignas(SL_CACHE_LINE) uint32_t x[MOST_WORDS] = {0};
  const struct sl_insn divide = {.op = SL_OP_FDIV, .rs1 = A, .rs2 = B, .rd = D};
  const struct sl_insn add = {.op = SL_OP_FADD, .rs1 = A, .rs2 = B, .rd = D};
  uint32_t first = 0, second = 0;
  for (unsigned l = 0; l < 16; l++)
    x[A * 16 + l] = 0x3f800000; /* 1 / 0, 1 + 0 */
  for (unsigned i = 0; i < 3; i++) {
    assert_true(sl_fp_execute_warp(sl_fp_ops(16), x, &divide, 0xffff, 16, SL_FP_RUP, &first));
    assert_int_equal(first, SL_FP_DIVIDE_BY_ZERO);
    assert_true(sl_fp_execute_warp(sl_fp_ops(16), x, &add, 0xffff, 16, 0, &second));
    assert_int_equal(second, i == 2 ? SL_FP_INEXACT : 0);
    second = i == 1 ? SL_FP_INEXACT : 0;
  }
}

static void fused_rows_use_the_hosts_instructions_if_present(void **state)
{
  (void)state;
#ifdef SL_X86_LEVELS
  const bool has = strcmp(sl_fp_ops(16)->level, "baseline") != 0;
  assert_int_equal(sl_fp_ops(16)->execute[SL_OP_FMADD] != NULL, has);
  assert_non_null(sl_fp_ops(16)->execute[SL_OP_FADD]);
#endif
  assert_null(sl_fp_ops_portable()->execute[SL_OP_FADD]);
}

static void inactive_lanes_raise_no_flags(void **state)
{
  (void)state;
  static const uint32_t raising[][3] = {{0x7f800001, 0, 0},           /* invalid */
                                        {0x3f800000, 0, 0x7f800001},  /* division by zero */
                                        {0x7f7fffff, 0x7f7fffff, 0},  /* overflow */
                                        {0x00800001, 0x00800001, 1}}; /* underflow */
  struct build builds[MOST_BUILDS];
  const unsigned count = all_builds(builds);
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; i < 4 * count && sl_fp_has(op); i++) {
      const struct build *build = &builds[i / 4];
      const unsigned lanes = build->lanes, last = lanes - 1;
      const struct sl_insn in = {.op = (uint8_t)op, .rs1 = A, .rs2 = B, .rs3 = C, .rd = D};
      _Alignas(SL_CACHE_LINE) uint32_t x[MOST_WORDS];
      uint32_t flags = 0;
      for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned l = 0; l < lanes; l++)
          x[r * lanes + l] = l == last ? 0x3f800000 : r >= A && r <= C ? raising[i % 4][r - A] : 77;
      assert_true(sl_fp_execute_warp(build->ops, x, &in, UINT64_C(1) << last, lanes, 0, &flags));
      assert_int_equal(flags, 0);
      for (unsigned l = 0; l < last; l++)
        assert_int_equal(x[D * lanes + l], 77);
    }
}

#ifdef SL_X86_LEVELS

/* Subnormals flushed, another rounding mode, flags raised or not; also after the slow path. */
static void the_callers_environment_is_preserved_and_ignored(void **state)
{
  (void)state;
  static const unsigned environments[] = {0x1f80, 0x1fbf, 0x1f80 | 0x8040, 0x7f80, 0x3f80 | 0x20, 0x5f81};
  static const uint32_t operands[][2] = {{0x3f800000, 0x40400000}, {0x00000003, 0x40000000}, {0, 0}};
  const struct sl_fp_ops *ops = sl_fp_ops(16);
  const struct sl_insn in = {.op = SL_OP_FDIV, .rs1 = A, .rs2 = B, .rd = D, .word = 7u << 12};
  for (unsigned i = 0; i < 6 * 3; i++) {
    _Alignas(SL_CACHE_LINE) uint32_t x[MOST_WORDS] = {0}, y[MOST_WORDS];
    uint32_t flags = 0, each[16] = {0};
    for (unsigned l = 0; l < 16; l++) {
      x[A * 16 + l] = operands[i / 6][0];
      x[B * 16 + l] = operands[i / 6][1];
    }
    memcpy(y, x, sizeof y);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(environments[i % 6]);
    const uint32_t environment = sl_fp_enter();
    sl_fp_execute_warp(ops, x, &in, 0xffff, 16, i % 4, &flags);
    sl_fp_leave(environment);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    sl_fp_execute(y, &in, 0xffff, 16, i % 4, each);
    assert_int_equal(after, environments[i % 6]);
    assert_int_equal(flags, each[0]);
    assert_memory_equal(x, y, sizeof x);
  }
}

#else

static void the_callers_environment_is_preserved_and_ignored(void **state)
{
  (void)state;
  skip(); /* nothing of it is used */
}

#endif

static void an_empty_mask_changes_nothing(void **state)
{
  (void)state;
  const struct sl_insn in = {.op = SL_OP_FDIV, .rs1 = A, .rs2 = B, .rd = D};
  _Alignas(SL_CACHE_LINE) uint32_t x[MOST_WORDS] = {[A * 16] = 0x3f800000, [D * 16] = 5};
  uint32_t flags = 0;
  assert_true(sl_fp_execute_warp(sl_fp_ops(16), x, &in, 0, 16, 0, &flags));
  assert_int_equal(x[D * 16], 5);
  assert_int_equal(flags, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_in_every_build_agrees_with_integer_arithmetic),
      cmocka_unit_test(every_pair_of_corner_operands_agrees_in_every_mode),
      cmocka_unit_test(warps_have_separate_flags),
      cmocka_unit_test(fused_rows_use_the_hosts_instructions_if_present),
      cmocka_unit_test(inactive_lanes_raise_no_flags),
      cmocka_unit_test(the_callers_environment_is_preserved_and_ignored),
      cmocka_unit_test(an_empty_mask_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
