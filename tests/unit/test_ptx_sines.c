/* sin, cos and ex2 of PTX against MPFR, at every level of the lane functions that this host has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "ptx/run/ptx_lanes.h"

enum { ROUNDS = 400 };

struct function {
  unsigned row;
  int (*exact)(mpfr_t to, const mpfr_t from, mpfr_rnd_t mode);
};

static int exp2_of(mpfr_t to, const mpfr_t from, mpfr_rnd_t mode)
{
  return mpfr_exp2(to, from, mode);
}

static const struct function functions[] = {
    {SL_PTX_ROW_sin_f32, mpfr_sin}, {SL_PTX_ROW_cos_f32, mpfr_cos}, {SL_PTX_ROW_ex2_f32, exp2_of}};

static void compute(const struct sl_ptx_lane_ops *ops, unsigned row, const float *a, float *d, uint32_t active)
{
  const struct sl_ptx_lane_operands o = {d, a, a, a, a, 0};
  ops->execute[row](&o, active);
}

/* Numbers of all magnitudes, and every second time those for which functions are mostly called. */
static float invented(uint64_t *x, unsigned round)
{
  *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  const uint32_t bits = (uint32_t)(*x >> 32);
  float v;
  memcpy(&v, &bits, sizeof v);
  return (round & 1) != 0 ? (float)((int32_t)bits * 0x1p-23) : v;
}

/* The distance in units of the last place of the result. */
static double error_of(const struct function *f, float a, float got)
{
  mpfr_t x, y;
  mpfr_init2(x, 24);
  mpfr_init2(y, 200);
  mpfr_set_flt(x, a, MPFR_RNDN);
  f->exact(y, x, MPFR_RNDN);
  const int exponent = mpfr_zero_p(y) || mpfr_get_exp(y) < -125 ? -125 : (int)mpfr_get_exp(y);
  const bool overflows = mpfr_cmp_d(y, 0x1.ffffffp127) >= 0;
  mpfr_sub_d(y, y, (double)got, MPFR_RNDN);
  const double error = overflows && isinf(got) && got > 0 ? 0 : fabs(ldexp(mpfr_get_d(y, MPFR_RNDN), 24 - exponent));
  mpfr_clear(x);
  mpfr_clear(y);
  return error;
}

static void errors_are_below_0_57_units(void **state)
{
  uint64_t x = 7;
  (void)state;
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned k = 0; k < 3; k++) {
      float a[SL_PTX_LANES], d[SL_PTX_LANES];
      for (unsigned l = 0; l < SL_PTX_LANES; l++)
        a[l] = invented(&x, round);
      compute(sl_ptx_lane_ops(), functions[k].row, a, d, UINT32_MAX);
      for (unsigned l = 0; l < SL_PTX_LANES; l++)
        if (isfinite(a[l]) && !(error_of(&functions[k], a[l], d[l]) < 0.57))
          fail_msg("function %u of %a is %a", k, (double)a[l], (double)d[l]);
    }
}

static void special_values_are_those_of_ieee_754(void **state)
{
  static const uint32_t in[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00001, 1, 0x80000001, 0x7f7fffff};
  enum { N = sizeof in / sizeof *in, NAN_BITS = 0x7fffffff, ONE = 0x3f800000, INFINITE = 0x7f800000 };
  static const uint32_t want[][N] = {{0, 0x80000000, NAN_BITS, NAN_BITS, NAN_BITS, 1, 0x80000001, 0},
                                     {ONE, ONE, NAN_BITS, NAN_BITS, NAN_BITS, ONE, ONE, 0},
                                     {ONE, ONE, INFINITE, 0, NAN_BITS, ONE, ONE, INFINITE}};
  (void)state;
  for (unsigned k = 0; k < 3; k++) {
    uint32_t a[SL_PTX_LANES] = {0}, d[SL_PTX_LANES];
    memcpy(a, in, sizeof in);
    compute(sl_ptx_lane_ops(), functions[k].row, (const float *)(const void *)a, (float *)(void *)d, UINT32_MAX);
    for (unsigned i = 0; i < N - (k < 2); i++)
      assert_int_equal(d[i], want[k][i]);
  }
}

static void levels_and_masks_agree(void **state)
{
  uint64_t x = 9;
  (void)state;
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned k = 0; k < 3; k++) {
      float a[SL_PTX_LANES], fast[SL_PTX_LANES], portable[SL_PTX_LANES], some[SL_PTX_LANES];
      const uint32_t active = (uint32_t)(x >> 13);
      for (unsigned l = 0; l < SL_PTX_LANES; l++)
        a[l] = invented(&x, round), some[l] = 5;
      compute(sl_ptx_lane_ops(), functions[k].row, a, fast, UINT32_MAX);
      compute(sl_ptx_lane_ops_portable(), functions[k].row, a, portable, UINT32_MAX);
      compute(sl_ptx_lane_ops(), functions[k].row, a, some, active);
      assert_memory_equal(fast, portable, sizeof fast);
      for (unsigned l = 0; l < SL_PTX_LANES; l++)
        if ((active >> l & 1) != 0)
          assert_memory_equal(&some[l], &fast[l], sizeof(float));
        else
          assert_true(some[l] == 5);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_below_0_57_units),
      cmocka_unit_test(special_values_are_those_of_ieee_754),
      cmocka_unit_test(levels_and_masks_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
