/* sin, cos and exp2 of 32 values: polynomials in double precision, rounded once, in plain loops for the compiler to
 * vectorise. Method and coefficients: S. Nagy and W. Dijkstra, "Optimized Routines" of Arm (sinf, cosf, exp2f; MIT
 * licence), which the GNU C library has had since 2.28. Errors are below 0.57 units in the last place. Multiply-adds
 * are explicit, so that results do not depend on the host. */
#ifndef SL_PTX_RUN_PTX_SINES_H
#define SL_PTX_RUN_PTX_SINES_H

#include <math.h>
#include <string.h>

#include "base/types.h"
#include "ptx/ptx.h"

typedef float sl_ptx_single __attribute__((may_alias)); /* in a register */

static inline uint32_t sl_ptx_bits(float v)
{
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static inline float sl_ptx_float(uint32_t bits)
{
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* sin x or, with `cosine`, cos x, of quadrant n and its rest r. */
static inline float sl_ptx_sine_of(double r, int n, bool cosine)
{
  const double r2 = r * r, r3 = r * r2, r4 = r2 * r2;
  const double odd = __builtin_fma(r3 * r2, __builtin_fma(r2, -0x1.994eb3774cf24p-13, 0x1.1107605230bc4p-7),
                                   __builtin_fma(r3, -0x1.555545995a603p-3, r));
  const double even =
      __builtin_fma(r4 * r2, __builtin_fma(r2, 0x1.99343027bf8c3p-16, -0x1.6c087e89a359dp-10),
                    __builtin_fma(r4, 0x1.55553e1068f19p-5, __builtin_fma(r2, -0x1.ffffffd0c621cp-2, 1.0)));
  /* sine: r, 1, -r, -1 by quadrant; cosine: 1, -r, -1, r */
  const float v = (float)(((n ^ cosine) & 1) == 0 ? odd : even);
  return sl_ptx_float(sl_ptx_bits(v) ^ (uint32_t)((cosine ? n + 1 : n) & 2) << 30);
}

/* |x| from 120 on: x times the bits of 4/pi that matter. */
static inline float sl_ptx_sine_large(float x, bool cosine)
{
  static const uint32_t bits[] = {0x000000a2, 0x0000a2f9, 0x00a2f983, 0xa2f9836e, 0xf9836e4e, 0x836e4e44,
                                  0x6e4e4415, 0x4e441529, 0x441529fc, 0x1529fc27, 0x29fc2757, 0xfc2757d1,
                                  0x2757d1f5, 0x57d1f534, 0xd1f534dd, 0xf534ddc0, 0x34ddc0db, 0xddc0db62,
                                  0xc0db6295, 0xdb629599, 0x6295993c, 0x95993c43, 0x993c4390, 0x3c439041};
  const uint32_t v = sl_ptx_bits(x), *from = &bits[v >> 26 & 15],
                 mantissa = ((v & 0xffffff) | 0x800000) << (v >> 23 & 7);
  if ((v & 0x7f800000) == 0x7f800000)
    return x - x;
  uint64_t product = (uint64_t)(mantissa * from[0]) << 32 | (uint64_t)mantissa * from[8] >> 32;
  product += (uint64_t)mantissa * from[4];
  const uint64_t n = (product + (UINT64_C(1) << 61)) >> 62;
  const double r = (double)(int64_t)(product - (n << 62)) * 0x1.921FB54442D18p-62;
  const float s = sl_ptx_sine_of(r, (int)n, cosine);
  return v >> 31 != 0 && !cosine ? -s : s;
}

/* Sines or cosines. A NaN is not canonical. */
static inline void sl_ptx_sines(float *restrict d, const sl_ptx_single *a, bool cosine)
{
  enum { LARGE = 0x42f00000, TINY = 0x39800000 }; /* 120, 2^-12 */
  uint32_t most = 0;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const uint32_t bits = sl_ptx_bits(a[l]), magnitude = bits & INT32_MAX;
    most = magnitude > most ? magnitude : most;
    const double x = (double)sl_ptx_float(magnitude < LARGE ? bits : 0);
    const int n = ((int32_t)(x * 0x1.45F306DC9C883p+23) + 0x800000) >> 24; /* 2/pi in units of 2^-24 */
    const float v = sl_ptx_sine_of(__builtin_fma(-(double)n, 0x1.921FB54442D18p0, x), n, cosine);
    d[l] = magnitude < TINY && !cosine ? a[l] : v;
  }
  for (unsigned l = 0; l < SL_PTX_LANES && most >= LARGE; l++)
    if ((sl_ptx_bits(a[l]) & INT32_MAX) >= LARGE)
      d[l] = sl_ptx_sine_large(a[l], cosine);
}

/* Powers of two. A NaN is not canonical. */
static inline void sl_ptx_powers(float *restrict d, const sl_ptx_single *a)
{
  /* Bits of 2^(i/32), less i times 2^47 */
  static const uint64_t table[32] = {0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
                                     0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
                                     0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
                                     0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5585,
                                     0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce13,
                                     0x3feeace5422aa0db, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
                                     0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
                                     0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540};
  float within[SL_PTX_LANES];
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const float low = a[l] > -151 ? a[l] : -151;
    within[l] = low < 129 ? low : 129;
  }
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const double x = (double)within[l], shifted = x + 0x1.8p47; /* in units of 1/32 */
    const double r = x - (shifted - 0x1.8p47);
    uint64_t k;
    double scale;
    memcpy(&k, &shifted, sizeof k);
    k = table[k & 31] + (k << 47);
    memcpy(&scale, &k, sizeof scale);
    const double z = __builtin_fma(0x1.c6af84b912394p-5, r, 0x1.ebfce50fac4f3p-3);
    const double y = __builtin_fma(z, r * r, __builtin_fma(0x1.62e42ff0c52d6p-1, r, 1.0)) * scale;
    d[l] = (float)y;
  }
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    d[l] = a[l] == a[l] ? d[l] : a[l];
}

#endif
