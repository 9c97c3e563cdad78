/* Computations on floats and 64-bit words without a branch in the source. Compares the results of lanes with those of a
 * single lane. Every lane has its own values, so a branch that the compiler creates is wrong for some lanes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simt.h"

enum { N = 64 };

#define KINDS                                                                                                          \
  F(floor, floorf(x))                                                                                                  \
  F(ceil, ceilf(x))                                                                                                    \
  F(trunc, truncf(x))                                                                                                  \
  F(rint, rintf(x))                                                                                                    \
  F(round, roundf(x))                                                                                                  \
  F(nearby, nearbyintf(x))                                                                                             \
  F(fabs, fabsf(x))                                                                                                    \
  F(sqrt, sqrtf(x))                                                                                                    \
  F(fmin, fminf(x, y))                                                                                                 \
  F(fmax, fmaxf(x, y))                                                                                                 \
  F(copysign, copysignf(x, y))                                                                                         \
  F(fma, __builtin_fmaf(x, y, 1.5f))                                                                                   \
  F(clamped, fminf(fmaxf(x, -1.0f), 1.0f))                                                                             \
  F(nan, isnan(x))                                                                                                     \
  F(inf, isinf(x) != 0)                                                                                                \
  F(finite, isfinite(x))                                                                                               \
  F(normal, isnormal(x))                                                                                               \
  F(class, fpclassify(x))                                                                                              \
  F(sign, signbit(x) != 0)                                                                                             \
  F(unordered, isunordered(x, y) + 2 * isgreater(x, y))                                                                \
  F(compared, (float)(x <= 3.0f) - 0.5f)                                                                               \
  F(compared_words, (float)(i < 7) * 2.5f)                                                                             \
  F(negative, (float)-(x < 0))                                                                                         \
  F(sign_of, (x > 0) - (x < 0))                                                                                        \
  F(both, (float)((x < 1) & (y > 1)) + 0.25f)                                                                          \
  F(negated, (float)!(x > 0 && x < 3) * y)                                                                             \
  F(chosen, x < 0 ? 1.0f : 3.0f)                                                                                       \
  F(chosen_by_words, i & 4 ? x : y)                                                                                    \
  F(saturated, x != x ? 0.0f : x < -1 ? -1.0f : x > 1 ? 1.0f : x)                                                      \
  F(of_bool, (float)(_Bool)x)                                                                                          \
  F(to_word, (float)(int)fminf(fmaxf(x, -1e9f), 1e9f))                                                                 \
  F(nearest, lroundf(fminf(fmaxf(x, -1e6f), 1e6f)))                                                                    \
  F(to_64, (float)((long long)fminf(fmaxf(x, -1e15f), 1e15f) / 3))                                                     \
  F(to_unsigned_64, (float)(unsigned long long)fminf(fabsf(x), 1e15f))                                                 \
  F(of_64, (float)((long long)i * 1234567890123LL - 1000000000000LL))                                                  \
  F(of_unsigned_64, (float)((unsigned long long)i * 12345678901234567ULL))                                             \
  F(quotient, (float)(((long long)i * 1234567890123LL - 99) / (i + 3)))                                                \
  F(remainder, (float)(((long long)i * 1234567890123LL - 99) % (i - 70)))                                              \
  F(shifted, (float)((0x123456789abcdefLL << (i & 31)) ^ (-0x123456789abcdefLL >> i)))                                 \
  F(chosen_64, (float)(x < 0.5f ? 0x123456789LL : (long long)i << 33))                                                 \
  F(ordered_64, (float)((((long long)i << 33) < 0x1600000000LL) + 2 * (((unsigned long long)i << 60) > 5)))            \
  F(bits, __builtin_popcount((unsigned)i * 77777u) + (i ? __builtin_clz((unsigned)i) : 32))                            \
  F(lowest_bit, i ? __builtin_ctz((unsigned)i) : -1)                                                                   \
  F(distance, i < 20 ? 20 - i : i - 20)                                                                                \
  F(narrow, (float)(signed char)(i * 9) + (float)(short)(i * 3000))                                                    \
  F(of_wider, i & 1 ? 0.25 : 2.5)

#define F(name, value)                                                                                                 \
  SIMT_INLINE float of_##name(int i, float x, float y)                                                                 \
  {                                                                                                                    \
    (void)i, (void)x, (void)y;                                                                                         \
    return (float)(value);                                                                                             \
  }                                                                                                                    \
  SIMT_KERNEL(run_##name, (const float *, in), (float *, out))                                                         \
  {                                                                                                                    \
    const int i = (int)threadIdx.x;                                                                                    \
    out[i] = of_##name(i, in[i], in[N - 1 - i]);                                                                       \
  }                                                                                                                    \
  static __attribute__((noinline)) float one_##name(int i, float x, float y)                                           \
  {                                                                                                                    \
    return of_##name(i, x, y);                                                                                         \
  }
KINDS
#undef F

static unsigned bits(float value)
{
  unsigned word;
  memcpy(&word, &value, sizeof word);
  return (word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word;
}

static int compare(const char *name, float (*one)(int, float, float), const float *in, const float *out)
{
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += bits(out[i]) != bits(one(i, in[i], in[N - 1 - i]));
  if (wrong > 0)
    printf("%s: %d wrong\n", name, wrong);
  return wrong;
}

int main(void)
{
  static const float special[] = {NAN,          INFINITY,  -INFINITY,  -0.0f, 1e10f,
                                  -16777217.0f, 0x1p-140f, 8388609.0f, 0.5f,  -2.5f};
  float *const in = (float *)simt_alloc(N * sizeof(float)), *const out = (float *)simt_alloc(N * sizeof(float));
  int wrong = 0;
  for (int i = 0; i < N; i++)
    in[i] = (float)(i - 20) * 0.25f + (float)(i % 3) * 0.125f;
  for (unsigned i = 0; i < sizeof special / sizeof *special; i++)
    in[3 + 5 * i] = special[i];
#define F(name, value)                                                                                                 \
  simt_launch(run_##name, dim3(1), dim3(N), .in = in, .out = out);                                                     \
  wrong += compare(#name, one_##name, in, out);
  KINDS
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
