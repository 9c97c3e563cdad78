/* Execution on lanes: every value and branch row, in every build and lane count, compared with a reference for one
 * lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/host_level.h"
#include "isa/lanes.h"
#include "random.h"
#include "scalar.h"

enum { REGISTERS = 32, MOST_WORDS = REGISTERS * SL_MAX_LANES };

#define DECLARE(level)                                                                                                 \
  extern const struct sl_lane_ops sl_lane_ops_##level##_16, sl_lane_ops_##level##_32, sl_lane_ops_##level##_n;
DECLARE(baseline)
#ifdef SL_LEVEL_AVX2
DECLARE(avx2)
#endif
#ifdef SL_LEVEL_AVX512
DECLARE(avx512)
#endif

struct build {
  const struct sl_lane_ops *ops;
  unsigned lanes;
};

static unsigned add_builds(struct build *builds, unsigned n, const struct sl_lane_ops *any,
                           const struct sl_lane_ops *sixteen, const struct sl_lane_ops *thirty_two)
{
  for (unsigned lanes = 1; lanes <= SL_MAX_LANES; lanes *= 2)
    builds[n++] = (struct build){any, lanes};
  builds[n++] = (struct build){sixteen, 16};
  builds[n++] = (struct build){thirty_two, 32};
  return n;
}

/* Every table that this host can run. */
static unsigned all_builds(struct build builds[27])
{
  unsigned n = add_builds(builds, 0, &sl_lane_ops_baseline_n, &sl_lane_ops_baseline_16, &sl_lane_ops_baseline_32);
#ifdef SL_LEVEL_AVX2
  if (sl_host_level() >= SL_HOST_AVX2)
    n = add_builds(builds, n, &sl_lane_ops_avx2_n, &sl_lane_ops_avx2_16, &sl_lane_ops_avx2_32);
#endif
#ifdef SL_LEVEL_AVX512
  if (sl_host_level() == SL_HOST_AVX512)
    n = add_builds(builds, n, &sl_lane_ops_avx512_n, &sl_lane_ops_avx512_16, &sl_lane_ops_avx512_32);
#endif
  return n;
}

/* Corner values of integers and float bits: zeros, ones, limits, infinities, NaNs, halves, subnormals. */
static const uint32_t corners[] = {0,          1,          2,          31,         32,         33,         0x7fffffff,
                                   0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x7fff,     0x8000,     0xffff,
                                   0x10000,    0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                                   0x7f800001, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x00000003, 0x3f000000, 0xbf000000,
                                   0x3fc00000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
                                   0x40490fdb, 0xbf7fffff, 0x33800000, 0x4b800001, 0x5f000000};

static uint32_t operand(uint64_t *seed)
{
  const unsigned n = sizeof corners / sizeof corners[0], i = random_below(seed, 2 * n);
  return i < n ? corners[i] : random32(seed);
}

static sl_lanes random_mask(uint64_t *seed, unsigned lanes)
{
  const sl_lanes all = sl_low_bits(lanes), mask = random64(seed) & (random_below(seed, 2) ? all : random64(seed));
  return random_below(seed, 3) == 0 || (mask & all) == 0 ? all : mask & all;
}

static bool has_function(unsigned op)
{
  const enum sl_kind kind = sl_op_info(op)->kind;
  return kind == SL_KIND_ALU || kind == SL_KIND_MUL || kind == SL_KIND_DIV || kind == SL_KIND_FPU ||
         kind == SL_KIND_BRANCH;
}

static void fail_lane(const struct build *build, unsigned op, unsigned lane, const uint32_t operands[2], uint32_t got)
{
  fail_msg("%s with 0x%08x, 0x%08x gives 0x%08x on lane %u of %u, level %s", sl_op_info(op)->name, operands[0],
           operands[1], got, lane, build->lanes, build->ops->level);
}

/* One execution on random operands; register 0 is an ordinary source here. */
static void try_once(const struct build *build, unsigned op, uint64_t *seed)
{
  _Alignas(SL_CACHE_LINE) uint32_t x[MOST_WORDS], before[MOST_WORDS];
  const unsigned lanes = build->lanes;
  const struct sl_op_info *info = sl_op_info(op);
  struct sl_insn in = sl_decode(info->match | (random32(seed) & ~info->mask), info->set);
  const bool branch = info->kind == SL_KIND_BRANCH;
  in.rd = (uint8_t)(1 + random_below(seed, 31));
  const sl_lanes active = random_mask(seed, lanes);
  const uint32_t pc = random32(seed) & ~3u;
  for (unsigned i = 0; i < REGISTERS * lanes; i++)
    before[i] = operand(seed);
  memcpy(x, before, sizeof(uint32_t) * REGISTERS * lanes);
  const sl_lanes taken = build->ops->execute[op](x, &in, active, pc, lanes);
  assert_int_equal(taken & ~active, 0);
  for (unsigned l = 0; l < lanes; l++) {
    const uint32_t operands[2] = {before[in.rs1 * lanes + l], before[in.rs2 * lanes + l]};
    const uint32_t expected = scalar_operation(op, operands[0], operands[1], in.imm, pc);
    uint32_t *d = &x[in.rd * lanes + l];
    if (branch && (active >> l & 1) && (taken >> l & 1) != expected)
      fail_lane(build, op, l, operands, taken >> l & 1);
    if (!branch && (active >> l & 1)) {
      if (*d != expected)
        fail_lane(build, op, l, operands, *d);
      *d = before[in.rd * lanes + l];
    }
  }
  assert_memory_equal(x, before, sizeof(uint32_t) * REGISTERS * lanes); /* nothing else has changed */
}

static void every_row_in_every_build_agrees_with_the_reference(void **state)
{
  (void)state;
  struct build builds[27];
  const unsigned count = all_builds(builds);
  uint64_t seed = 1;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned i = 0; i < count; i++) {
      assert_true((builds[i].ops->execute[op] != NULL) == has_function(op));
      for (unsigned round = 0; round < 40 && has_function(op); round++)
        try_once(&builds[i], op, &seed);
    }
}

/* All pairs of corner operands, in the table the machines use. */
static void every_pair_of_corner_operands_agrees_with_the_reference(void **state)
{
  (void)state;
  enum { CORNERS = sizeof corners / sizeof corners[0], LANES = 64 };
  const struct sl_lane_ops *tables[2] = {sl_lane_ops(LANES), sl_lane_ops_portable(LANES)};
  static _Alignas(SL_CACHE_LINE) uint32_t x[REGISTERS * LANES];
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned pair = 0; pair < 2 * CORNERS * CORNERS && has_function(op); pair += LANES) {
      const struct build build = {tables[pair / LANES % 2], LANES};
      struct sl_insn in = {.op = (uint8_t)op, .rd = 3, .rs1 = 1, .rs2 = 2, .imm = pair % 32};
      for (unsigned l = 0; l < LANES; l++) {
        x[LANES + l] = corners[(pair / 2 + l) / CORNERS % CORNERS];
        x[2 * LANES + l] = corners[(pair / 2 + l) % CORNERS];
      }
      const sl_lanes taken = build.ops->execute[op](x, &in, UINT64_MAX, 0x08000000, LANES);
      for (unsigned l = 0; l < LANES; l++) {
        const uint32_t operands[2] = {x[LANES + l], x[2 * LANES + l]};
        const bool branch = sl_op_info(op)->kind == SL_KIND_BRANCH;
        const uint32_t got = branch ? (uint32_t)(taken >> l & 1) : x[3 * LANES + l];
        if (got != scalar_operation(op, operands[0], operands[1], in.imm, 0x08000000))
          fail_lane(&build, op, l, operands, got);
      }
    }
}

/* A few results by hand, as a check of the reference (manual, tables 7.1 and 11.4). */
static void corner_results_are_those_of_the_manual(void **state)
{
  (void)state;
  static const struct {
    enum sl_op op;
    uint32_t a, b, result;
  } cases[] = {
      {SL_OP_DIV, 7, 0, 0xffffffff},
      {SL_OP_DIVU, 7, 0, 0xffffffff},
      {SL_OP_REM, 7, 0, 7},
      {SL_OP_REMU, 7, 0, 7},
      {SL_OP_DIV, 0x80000000, 0xffffffff, 0x80000000},
      {SL_OP_REM, 0x80000000, 0xffffffff, 0},
      {SL_OP_DIV, (uint32_t)-7, 2, (uint32_t)-3},
      {SL_OP_REM, (uint32_t)-7, 2, (uint32_t)-1},
      {SL_OP_MULHSU, 0xffffffff, 0xffffffff, 0xffffffff},
      {SL_OP_MULHU, 0xffffffff, 0xffffffff, 0xfffffffe},
      {SL_OP_SRA, 0x80000000, 33, 0xc0000000},
      {SL_OP_FCVT_W_S, 0x7fc00000, 0, 0x7fffffff},  /* NaN */
      {SL_OP_FCVT_WU_S, 0xff800000, 0, 0},          /* -infinity */
      {SL_OP_FCVT_WU_S, 0xbf7fffff, 0, 0},          /* just above -1 */
      {SL_OP_FCVT_S_WU, 0xffffffff, 0, 0x4f800000}, /* rounds up to 2^32 */
      {SL_OP_FMIN, 0x80000000, 0, 0x80000000},
      {SL_OP_FMAX, 0x80000000, 0, 0},
      {SL_OP_FMAX, 0xffc00001, 0x3f800000, 0x3f800000},
      {SL_OP_FADD, 0x7f800000, 0xff800000, 0x7fc00000}, /* canonical, positive NaN */
      {SL_OP_FSQRT, 0xbf800000, 0, 0x7fc00000},
      {SL_OP_FSQRT, 0x80000000, 0, 0x80000000},
      {SL_OP_FLE, 0x7fc00000, 0x7fc00000, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    _Alignas(SL_CACHE_LINE) uint32_t x[16] = {0, cases[i].a, cases[i].b};
    const struct sl_insn in = {.op = (uint8_t)cases[i].op, .rd = 3, .rs1 = 1, .rs2 = 2};
    sl_lane_ops(1)->execute[cases[i].op](x, &in, 1, 0, 1);
    if (x[3] != cases[i].result)
      fail_msg("case %zu: %s gives 0x%08x", i, sl_op_info(cases[i].op)->name, x[3]);
  }
}

static void the_host_runs_a_table_of_every_lane_count(void **state)
{
  (void)state;
  for (unsigned lanes = 1; lanes <= SL_MAX_LANES; lanes *= 2) {
    assert_non_null(sl_lane_ops(lanes)->execute[SL_OP_ADD]);
    assert_string_equal(sl_lane_ops_portable(lanes)->level, "baseline");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_in_every_build_agrees_with_the_reference),
      cmocka_unit_test(every_pair_of_corner_operands_agrees_with_the_reference),
      cmocka_unit_test(corner_results_are_those_of_the_manual),
      cmocka_unit_test(the_host_runs_a_table_of_every_lane_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
