/* Arithmetic of f16 and bf16 against MPFR: unary operations on all 65,536 values, the others on random operands; each
 * also on pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>
#include <mpfr.h>

#include "ptx_kernel.h"

enum { ITEMS = 65536, THREADS = 512, EXACT = 700, NAN16 = 0x7fff, OPERANDS = 4 };

struct format {
  const char *name;
  int bits, least, most; /* of the significand; exponents as MPFR has them, of significands below 1 */
};
static const struct format formats[] = {{"f16", 11, -23, 16}, {"bf16", 8, -132, 128}};

static double value_of(const struct format *f, uint16_t h)
{
  const int fraction = f->bits - 1, exponent = (h & 0x7fff) >> fraction, bias = f->most - 1;
  const double part = h & ((1 << fraction) - 1), sign = h & 0x8000 ? -1 : 1;
  if (exponent == 2 * bias + 1)
    return part != 0 ? (double)NAN : sign * (double)INFINITY;
  return exponent == 0 ? sign * ldexp(part, 1 - bias - fraction)
                       : sign * ldexp(part + (1 << fraction), exponent - bias - fraction);
}

/* Rounds once. */
static uint16_t rounded(const struct format *f, mpfr_t exact, mpfr_rnd_t mode)
{
  const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  const int fraction = f->bits - 1, bias = f->most - 1;
  mpfr_t r;
  if (mpfr_nan_p(exact))
    return NAN16;
  mpfr_init2(r, f->bits);
  mpfr_set_emin(f->least);
  mpfr_set_emax(f->most);
  int inexact = mpfr_set(r, exact, mode);
  inexact = mpfr_check_range(r, inexact, mode);
  mpfr_subnormalize(r, inexact, mode);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  const double v = fabs(mpfr_get_d(r, MPFR_RNDN));
  const int sign = mpfr_signbit(r) ? 0x8000 : 0;
  mpfr_clear(r);
  if (isinf(v))
    return (uint16_t)(sign | (2 * bias + 1) << fraction);
  if (v < ldexp(1, 1 - bias))
    return (uint16_t)(sign | (int)ldexp(v, bias - 1 + fraction));
  int exponent;
  const double part = frexp(v, &exponent);
  return (uint16_t)(sign | (exponent - 1 + bias) << fraction | ((int)ldexp(part, f->bits) & ((1 << fraction) - 1)));
}

static uint16_t of_double(const struct format *f, double v, mpfr_rnd_t mode)
{
  mpfr_t x;
  mpfr_init2(x, EXACT);
  mpfr_set_d(x, v, MPFR_RNDN);
  const uint16_t result = rounded(f, x, mode);
  mpfr_clear(x);
  return result;
}

/* NaN loses, -0 is less than +0; min is -max of the negated values. */
static uint16_t least(const struct format *f, uint16_t a, uint16_t b, uint16_t flip)
{
  const double x = value_of(f, a ^ flip), y = value_of(f, b ^ flip);
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y) ? NAN16 : isnan(x) ? b : a;
  return x < y || (x == y && signbit(x)) ? a : b;
}

/* All that the kernel computes of its operands, in the order of its results. */
static const char *const operations[] = {
    "add",     "sub",     "mul", "fma.rn", "fma.rn.relu", "min",         "max",
    "min.NaN", "max.NaN", "neg", "abs",    "ex2.approx",  "tanh.approx",
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static unsigned operands_of(unsigned operation)
{
  return operation < 3 ? 2 : operation < 5 ? 3 : operation < 9 ? 2 : 1;
}

static uint16_t wanted(const struct format *f, unsigned operation, const uint16_t h[3])
{
  const bool nan = isnan(value_of(f, h[0])) || isnan(value_of(f, h[1]));
  mpfr_t x[3];
  uint16_t result = 0;
  if (operation >= 5 && operation <= 10)
    switch (operation) {
    case 5: return least(f, h[0], h[1], 0);
    case 6: return least(f, h[0], h[1], 0x8000);
    case 7: return nan ? NAN16 : least(f, h[0], h[1], 0);
    case 8: return nan ? NAN16 : least(f, h[0], h[1], 0x8000);
    case 9: return h[0] ^ 0x8000;
    default: return h[0] & 0x7fff;
    }
  for (unsigned i = 0; i < 3; i++) {
    mpfr_init2(x[i], operation > 10 ? 100 : EXACT);
    mpfr_set_d(x[i], value_of(f, h[i]), MPFR_RNDN);
  }
  switch (operation) {
  case 0: mpfr_add(x[0], x[0], x[1], MPFR_RNDN); break;
  case 1: mpfr_sub(x[0], x[0], x[1], MPFR_RNDN); break;
  case 2: mpfr_mul(x[0], x[0], x[1], MPFR_RNDN); break;
  case 11: mpfr_exp2(x[0], x[0], MPFR_RNDN); break;
  case 12: mpfr_tanh(x[0], x[0], MPFR_RNDN); break;
  default: mpfr_fma(x[0], x[0], x[1], x[2], MPFR_RNDN);
  }
  result = rounded(f, x[0], MPFR_RNDN);
  for (unsigned i = 0; i < 3; i++)
    mpfr_clear(x[i]);
  return operation == 4 && result & 0x8000 ? 0 : result;
}

static uint16_t in[ITEMS][OPERANDS];

/* Each value once as the first operand; the others are random, often of a similar size. */
static void invent(void)
{
  uint64_t x = 7;
  for (unsigned i = 0; i < ITEMS; i++)
    for (unsigned k = 0; k < OPERANDS; k++) {
      x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      const uint16_t near = (uint16_t)(i ^ (x >> 40 & 0x83ff)), any = (uint16_t)(x >> 30);
      in[i][k] = k == 0 ? (uint16_t)i : x >> 63 ? near : any;
    }
}

#define INDEXED                                                                                                        \
  PTX_ENTRY(0)                                                                                                         \
  "mov.u32 %r20, %ctaid.x;\nmov.u32 %r21, %ntid.x;\nmad.lo.u32 %t, %r20, %r21, %t;\nmul.wide.u32 %n, %t, 8;\n"         \
  "add.s64 %i, %i, %n;\nmul.wide.u32 %n, %t, 4;\nadd.s64 %o, %o, %n;\nld.global.v4.b16 {%h1, %h2, %h3, %h4}, [%i];\n"

static uint32_t out[32][ITEMS];

static void run(const char *text, unsigned results, unsigned way)
{
  struct sl_error err = {0};
  const struct ptx_kernel k = {.text = text,
                               .blocks = ITEMS / THREADS,
                               .threads = THREADS,
                               .in = in,
                               .in_bytes = sizeof in,
                               .out_bytes = results * sizeof *out};
  if (ptx_kernel_try(&k, way, out, &err) != SL_OK)
    fail_msg("%s", err.text);
}

static void arithmetic_is_rounded_once(void **state)
{
  static char text[16384];
  (void)state;
  invent();
  for (unsigned n = 0; n < 2; n++) {
    const struct format *f = &formats[n];
    size_t at = (size_t)snprintf(text, sizeof text, "%s%s", PTX_HEAD INDEXED,
                                 "mov.b32 %r1, {%h1, %h2};\nmov.b32 %r2, {%h2, %h3};\nmov.b32 %r3, {%h3, %h1};\n");
    for (unsigned o = 0; o < OPERATIONS; o++)
      for (unsigned pair = 0; pair < 2; pair++) {
        const char *const names[2][3] = {{"%h1", ", %h2", ", %h3"}, {"%r1", ", %r2", ", %r3"}};
        at += (size_t)snprintf(text + at, sizeof text - at, "%s.%s%s %s, %s%s%s;\n", operations[o], f->name,
                               pair ? "x2" : "", pair ? "%r5" : "%h5", names[pair][0],
                               operands_of(o) > 1 ? names[pair][1] : "", operands_of(o) > 2 ? names[pair][2] : "");
        at += (size_t)snprintf(text + at, sizeof text - at, "%sst.global.u32 [%%o+%zu], %%r5;\n",
                               pair ? "" : "cvt.u32.u16 %r5, %h5;\n", (2 * o + pair) * sizeof *out);
      }
    snprintf(text + at, sizeof text - at, "ret;\n}\n");
    run(text, 2 * OPERATIONS, n);
    for (unsigned o = 0; o < OPERATIONS; o++)
      for (unsigned i = 0; i<ITEMS; i += operands_of(o)> 1 ? 7 : 1) {
        const uint16_t *h = in[i], high[] = {h[1], h[2], h[0]}, is = wanted(f, o, h);
        if (out[2 * o][i] != is || out[2 * o + 1][i] != (is | (uint32_t)wanted(f, o, high) << 16))
          fail_msg("%s.%s of %04x, %04x, %04x: %04x, not %04x; pair %08x", operations[o], f->name, h[0], h[1], h[2],
                   out[2 * o][i], is, out[2 * o + 1][i]);
      }
  }
}

/* To f32 and integers, and between the two formats. */
static void conversions_of_halves_are_exact(void **state)
{
  static char text[8192];
  (void)state;
  invent();
  for (unsigned n = 0; n < 2; n++) {
    const struct format *f = &formats[n], *other = &formats[1 - n];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", PTX_HEAD INDEXED);
#define PUT(slot, ...)                                                                                                 \
  at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__),                                                    \
      at += (size_t)snprintf(text + at, sizeof text - at, "st.global.u32 [%%o+%zu], %%r1;\n", (slot) * sizeof *out)
    PUT((size_t)0, "cvt.f32.%s %%f1, %%h1;\nmov.b32 %%r1, %%f1;\n", f->name);
    PUT((size_t)1, "cvt.rni.s32.%s %%r1, %%h1;\n", f->name);
    PUT((size_t)2, "cvt.rzi.s32.%s %%r1, %%h1;\n", f->name);
    PUT((size_t)3, "cvt.rmi.s32.%s %%r1, %%h1;\n", f->name);
    PUT((size_t)4, "cvt.rpi.u32.%s %%r1, %%h1;\n", f->name);
    PUT((size_t)5, "cvt.rni.%s.%s %%h2, %%h1;\ncvt.u32.u16 %%r1, %%h2;\n", f->name, f->name);
    PUT((size_t)6, "cvt.rn.%s.%s %%h2, %%h1;\ncvt.u32.u16 %%r1, %%h2;\n", other->name, f->name);
    PUT((size_t)7, "cvt.sat.%s.%s %%h2, %%h1;\ncvt.u32.u16 %%r1, %%h2;\n", f->name, f->name);
    snprintf(text + at, sizeof text - at, "ret;\n}\n");
    run(text, 8, 1 + n);
    for (unsigned i = 0; i < ITEMS; i++) {
      const double v = value_of(f, (uint16_t)i), modes[] = {nearbyint(v), trunc(v), floor(v), ceil(v)};
      const float single = (float)v;
      uint32_t bits;
      memcpy(&bits, &single, sizeof bits);
      assert_int_equal(out[0][i], isnan(v) ? 0x7fffffff : bits);
      for (unsigned k = 0; k < 3; k++) {
        const double m = fmax(fmin(modes[k], INT32_MAX), INT32_MIN);
        assert_int_equal(out[1 + k][i], isnan(v) ? 0 : (uint32_t)(int32_t)m);
      }
      assert_int_equal(out[4][i], isnan(v) ? 0 : (uint32_t)fmax(fmin(modes[3], UINT32_MAX), 0));
      assert_int_equal(out[5][i], of_double(f, modes[0], MPFR_RNDN));
      assert_int_equal(out[6][i], of_double(other, v, MPFR_RNDN));
      if (v >= 0 && v <= 1)
        assert_int_equal(out[7][i] & 0x7fff, i & 0x7fff);
      else
        assert_int_equal(out[7][i], v > 1 ? of_double(f, 1, MPFR_RNDN) : 0);
    }
  }
}

/* From words as f32, s32 and u32, with each rounding; many are halfway between two halves. */
static void conversions_to_halves_are_rounded_once(void **state)
{
  static const struct {
    const char *name;
    mpfr_rnd_t mode;
  } modes[] = {{"rn", MPFR_RNDN}, {"rz", MPFR_RNDZ}, {"rm", MPFR_RNDD}, {"rp", MPFR_RNDU}};
  static char text[8192];
  (void)state;
  for (unsigned n = 0; n < 2; n++) {
    const struct format *f = &formats[n];
    size_t at = (size_t)snprintf(text, sizeof text, "%s%s", PTX_HEAD INDEXED,
                                 "ld.global.u32 %r2, [%i];\nmov.b32 %f2, %r2;\nld.global.f32 %f3, [%i+4];\n");
    invent();
    for (unsigned i = 0; i < ITEMS; i++) {
      const float v = (float)value_of(f, (uint16_t)i);
      uint32_t bits;
      memcpy(&bits, &v, sizeof bits);
      bits += (uint32_t)(in[i][2] % 3 - 1) + (in[i][3] % 4) * (1u << (22 - f->bits));
      memcpy(in[i], &bits, sizeof bits);
    }
    for (unsigned m = 0; m < 4; m++) {
      PUT(3 * m + (size_t)0, "cvt.%s.%s.f32 %%h2, %%f2;\ncvt.u32.u16 %%r1, %%h2;\n", modes[m].name, f->name);
      PUT(3 * m + (size_t)1, "cvt.%s.%s.s32 %%h2, %%r2;\ncvt.u32.u16 %%r1, %%h2;\n", modes[m].name, f->name);
      PUT(3 * m + (size_t)2, "cvt.%s.%s.u32 %%h2, %%r2;\ncvt.u32.u16 %%r1, %%h2;\n", modes[m].name, f->name);
    }
    PUT((size_t)12, "cvt.rn.%sx2.f32 %%r1, %%f2, %%f3;\n", f->name);
    snprintf(text + at, sizeof text - at, "ret;\n}\n");
    run(text, 13, n);
    for (unsigned i = 0; i < ITEMS; i++) {
      uint32_t bits[2];
      float v[2];
      memcpy(bits, in[i], sizeof bits);
      memcpy(v, in[i], sizeof v);
      for (unsigned m = 0; m < 4; m++) {
        assert_int_equal(out[3 * m][i], of_double(f, (double)v[0], modes[m].mode));
        assert_int_equal(out[3 * m + 1][i], of_double(f, (int32_t)bits[0], modes[m].mode));
        assert_int_equal(out[3 * m + 2][i], of_double(f, bits[0], modes[m].mode));
      }
      assert_int_equal(out[12][i],
                       (uint32_t)of_double(f, (double)v[0], MPFR_RNDN) << 16 | of_double(f, (double)v[1], MPFR_RNDN));
    }
  }
}

/* Conditions of halves and pairs, selection, and .ftz. */
static void comparisons_take_each_half(void **state)
{
  (void)state;
  invent();
  run(PTX_HEAD INDEXED "mov.b32 %r1, {%h1, %h2};\nmov.b32 %r2, {%h3, %h1};\n"
                       "setp.lt.f16 %p1, %h1, %h2;\nsetp.gtu.bf16 %p2, %h1, %h2;\nsetp.le.f16x2 %p3|%p4, %r1, %r2;\n"
                       "selp.u32 %r3, 1, 0, %p1;\nselp.u32 %r4, 2, 0, %p2;\nselp.u32 %r5, 4, 0, %p3;\n"
                       "selp.u32 %r6, 8, 0, %p4;\nor.b32 %r3, %r3, %r4;\nor.b32 %r3, %r3, %r5;\nor.b32 %r3, %r3, %r6;\n"
                       "st.global.u32 [%o], %r3;\nset.ne.f16x2.f16x2 %r3, %r1, %r2;\nst.global.u32 [%o+262144], %r3;\n"
                       "add.ftz.f16 %h5, %h1, %h2;\ncvt.u32.u16 %r3, %h5;\nst.global.u32 [%o+524288], %r3;\nret;\n}\n",
      3, 2);
  for (unsigned i = 0; i < ITEMS; i++) {
    const struct format *f = formats;
    const uint16_t *h = in[i];
    const double a = value_of(f, h[0]), b = value_of(f, h[1]), c = value_of(f, h[2]);
    const double x = value_of(&formats[1], h[0]), y = value_of(&formats[1], h[1]);
    assert_int_equal(out[0][i], (a < b) | !(x <= y) << 1 | (a <= c) << 2 | (b <= a) << 3);
    assert_int_equal(out[1][i], (a < c || a > c ? 0x3c00u : 0) | (b < a || b > a ? 0x3c000000u : 0));
    uint16_t flushed[3];
    for (unsigned k = 0; k < 2; k++)
      flushed[k] = (h[k] & 0x7c00) == 0 ? h[k] & 0x8000 : h[k];
    const uint16_t sum = wanted(f, 0, flushed);
    assert_int_equal(out[2][i], (sum & 0x7c00) == 0 ? sum & 0x8000 : sum);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_is_rounded_once), cmocka_unit_test(conversions_of_halves_are_exact),
      cmocka_unit_test(conversions_to_halves_are_rounded_once), cmocka_unit_test(comparisons_take_each_half)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
