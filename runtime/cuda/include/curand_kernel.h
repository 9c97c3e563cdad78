/* Random numbers in kernels: XORWOW (Marsaglia 2003), Philox 4x32-10 (Salmon et al. 2011), MRG32k3a (L'Ecuyer 1999) and
 * their uniform, normal, log-normal and Poisson distributions. Sequences of XORWOW lie 2^67 numbers apart, those of
 * MRG32k3a 2^76. */
#ifndef SIMTLAB_CUDA_CURAND_KERNEL_H
#define SIMTLAB_CUDA_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

#include "curand_types.h"

#ifndef __CUDA__
#error "curand_kernel.h needs the CUDA language: compile this file with simtlab cuda, as a .cu file or with -x cu"
#endif

#define SIMTLAB_RANDOM static __device__ __inline__ __attribute__((unused))
#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2PI (6.2831855f)

/* What all generators keep: the second number of a pair of normal ones */
struct simtlab_normal {
  float single;
  double twice;
  int has_single, has_twice;
};
struct curandStateXORWOW {
  unsigned int d, v[5];
  simtlab_normal extra;
};
struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned int next;
  simtlab_normal extra;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  simtlab_normal extra;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* XORWOW: a linear generator of 160 bits and a counter. A jump is the same polynomial of its step for all states. */
SIMTLAB_RANDOM void simtlab_step(unsigned int v[5])
{
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}
#include "simtlab/xorwow_jumps.h"
/* Advances the state by the jumps of the set bits of n, the first of them at jumps[0]. */
static __device__ __noinline__ void simtlab_jump(unsigned int v[5], unsigned long long n, const unsigned int jumps[][5])
{
  for (int bit = 0; n != 0; bit++, n >>= 1) {
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    if ((n & 1) == 0)
      continue;
    for (int w = 0; w < 5; w++)
      for (int b = 0; b < 32; b++) {
        const unsigned int mask = 0u - (jumps[bit][w] >> b & 1u);
#pragma unroll
        for (int k = 0; k < 5; k++)
          sum[k] ^= v[k] & mask;
        simtlab_step(v);
      }
    for (int k = 0; k < 5; k++)
      v[k] = sum[k];
  }
}
SIMTLAB_RANDOM void skipahead(unsigned long long n, curandStateXORWOW *s)
{
  simtlab_jump(s->v, n, simtlab_xorwow_jumps);
  s->d += 362437u * (unsigned int)n;
}
SIMTLAB_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW *s)
{
  simtlab_jump(s->v, n, simtlab_xorwow_jumps + 67);
}
SIMTLAB_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                curandStateXORWOW *s)
{
  const unsigned int t0 = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  const unsigned int t1 = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + t1 + t0;
  s->v[0] = 123456789u + t0;
  s->v[1] = 362436069u ^ t0;
  s->v[2] = 521288629u + t1;
  s->v[3] = 88675123u ^ t1;
  s->v[4] = 5783321u + t0;
  s->extra.has_single = s->extra.has_twice = 0;
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}
SIMTLAB_RANDOM unsigned int curand(curandStateXORWOW *s)
{
  simtlab_step(s->v);
  s->d += 362437u;
  return s->v[4] + s->d;
}

/* Philox 4x32-10: ten rounds over a counter of 128 bits */
SIMTLAB_RANDOM uint4 simtlab_philox(uint4 c, uint2 k)
{
#pragma unroll
  for (int round = 0; round < 10; round++) {
    const unsigned int h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
    const unsigned int h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
SIMTLAB_RANDOM void simtlab_add(uint4 *c, unsigned long long n, bool upper)
{
  unsigned long long low = (unsigned long long)c->y << 32 | c->x, high = (unsigned long long)c->w << 32 | c->z;
  if (!upper) {
    low += n;
    high += low < n ? 1 : 0;
  } else
    high += n;
  *c = make_uint4((unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high, (unsigned int)(high >> 32));
}
SIMTLAB_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
  const unsigned long long at = n % 4 + s->next;
  simtlab_add(&s->counter, n / 4 + at / 4, false);
  s->next = (unsigned int)(at % 4);
  s->output = simtlab_philox(s->counter, s->key);
}
SIMTLAB_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
  simtlab_add(&s->counter, n, true);
  s->output = simtlab_philox(s->counter, s->key);
}
SIMTLAB_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                curandStatePhilox4_32_10_t *s)
{
  s->counter = make_uint4(0, 0, 0, 0);
  s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  s->next = 0;
  s->extra.has_single = s->extra.has_twice = 0;
  simtlab_add(&s->counter, sequence, true);
  skipahead(offset, s);
}
SIMTLAB_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *s)
{
  const unsigned int n = s->next++;
  const unsigned int value = n == 0 ? s->output.x : n == 1 ? s->output.y : n == 2 ? s->output.z : s->output.w;
  if (s->next == 4) {
    s->next = 0;
    simtlab_add(&s->counter, 1, false);
    s->output = simtlab_philox(s->counter, s->key);
  }
  return value;
}
SIMTLAB_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *s)
{
  uint4 r;
  r.x = curand(s);
  r.y = curand(s);
  r.z = curand(s);
  r.w = curand(s);
  return r;
}

/* MRG32k3a: two recurrences of order three */
#define SIMTLAB_M1 4294967087ull
#define SIMTLAB_M2 4294944443ull
SIMTLAB_RANDOM void simtlab_product(unsigned long long a[3][3], const unsigned long long b[3][3], unsigned long long m)
{
  unsigned long long c[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      c[i][j] = 0;
      for (int k = 0; k < 3; k++)
        c[i][j] = (c[i][j] + a[i][k] * b[k][j] % m) % m;
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      a[i][j] = c[i][j];
}
/* s = A^(n 2^shift) s */
static __device__ __noinline__ void simtlab_jump_mrg(unsigned int s[3], unsigned long long n, int shift,
                                                     unsigned long long a0, unsigned long long a1,
                                                     unsigned long long a2, unsigned long long m)
{
  unsigned long long a[3][3] = {{0, 1, 0}, {0, 0, 1}, {a0, a1, a2}};
  if (n == 0)
    return;
  for (int i = 0; i < shift; i++)
    simtlab_product(a, a, m);
  for (; n != 0; n >>= 1) {
    if (n & 1) {
      unsigned int r[3];
      for (int i = 0; i < 3; i++)
        r[i] = (unsigned int)((a[i][0] * s[0] % m + a[i][1] * s[1] % m + a[i][2] * s[2] % m) % m);
      for (int i = 0; i < 3; i++)
        s[i] = r[i];
    }
    simtlab_product(a, a, m);
  }
}
SIMTLAB_RANDOM void simtlab_skip_mrg(curandStateMRG32k3a *s, unsigned long long n, int shift)
{
  simtlab_jump_mrg(s->s1, n, shift, SIMTLAB_M1 - 810728ull, 1403580ull, 0, SIMTLAB_M1);
  simtlab_jump_mrg(s->s2, n, shift, SIMTLAB_M2 - 1370589ull, 0, 527612ull, SIMTLAB_M2);
}
SIMTLAB_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a *s)
{
  simtlab_skip_mrg(s, n, 0);
}
#include "simtlab/mrg_jumps.h"
static __device__ __noinline__ void simtlab_jump_mrg_far(unsigned int s[3], unsigned int n,
                                                         const unsigned int jumps[][9], unsigned long long m)
{
  for (; n != 0; n >>= 1, jumps++) {
    unsigned int r[3];
    if ((n & 1) == 0)
      continue;
    for (int i = 0; i < 3; i++) {
      unsigned long long sum = 0;
      for (int j = 0; j < 3; j++)
        sum += (unsigned long long)(*jumps)[3 * i + j] * s[j] % m;
      r[i] = (unsigned int)(sum % m);
    }
    for (int i = 0; i < 3; i++)
      s[i] = r[i];
  }
}
SIMTLAB_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *s)
{
  if (n >> 32 == 0) {
    simtlab_jump_mrg_far(s->s1, (unsigned int)n, simtlab_mrg_jumps[0], SIMTLAB_M1);
    simtlab_jump_mrg_far(s->s2, (unsigned int)n, simtlab_mrg_jumps[1], SIMTLAB_M2);
    return;
  }
  simtlab_skip_mrg(s, n, 76);
}
SIMTLAB_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *s)
{
  simtlab_skip_mrg(s, n, 127);
}
SIMTLAB_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                curandStateMRG32k3a *s)
{
  for (int i = 0; i < 3; i++)
    s->s1[i] = s->s2[i] = 12345u;
  s->extra.has_single = s->extra.has_twice = 0;
  if (seed != 0) {
    const unsigned int x = (unsigned int)seed ^ 0x55555555u, y = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    s->s1[0] = (unsigned int)((unsigned long long)x * s->s1[0] % SIMTLAB_M1);
    s->s1[1] = (unsigned int)((unsigned long long)y * s->s1[1] % SIMTLAB_M1);
    s->s1[2] = (unsigned int)((unsigned long long)x * s->s1[2] % SIMTLAB_M1);
    s->s2[0] = (unsigned int)((unsigned long long)y * s->s2[0] % SIMTLAB_M2);
    s->s2[1] = (unsigned int)((unsigned long long)x * s->s2[1] % SIMTLAB_M2);
    s->s2[2] = (unsigned int)((unsigned long long)y * s->s2[2] % SIMTLAB_M2);
  }
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
}
/* 1 to 4294967087 */
SIMTLAB_RANDOM unsigned int simtlab_mrg(curandStateMRG32k3a *s)
{
  const unsigned int p1 = (unsigned int)((1403580ull * s->s1[1] + 810728ull * (SIMTLAB_M1 - s->s1[0])) % SIMTLAB_M1);
  const unsigned int p2 = (unsigned int)((527612ull * s->s2[2] + 1370589ull * (SIMTLAB_M2 - s->s2[0])) % SIMTLAB_M2);
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = p1;
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = p2;
  return (unsigned int)(p1 > p2 ? (unsigned long long)p1 - p2 : (unsigned long long)p1 + SIMTLAB_M1 - p2);
}
SIMTLAB_RANDOM unsigned int curand(curandStateMRG32k3a *s)
{
  return (unsigned int)(simtlab_mrg(s) * 1.000000048662);
}

/* Above 0, 1 included */
SIMTLAB_RANDOM float simtlab_unit(unsigned int x)
{
  return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
}
SIMTLAB_RANDOM double simtlab_unit2(unsigned int x, unsigned int y)
{
  const unsigned long long z = (unsigned long long)x ^ (unsigned long long)y << 21;
  return z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
SIMTLAB_RANDOM float curand_uniform(curandStateMRG32k3a *s)
{
  return simtlab_mrg(s) * 2.32830654e-10f;
}
SIMTLAB_RANDOM double curand_uniform_double(curandStateMRG32k3a *s)
{
  return simtlab_mrg(s) * 2.3283065498378288e-10;
}
SIMTLAB_RANDOM float curand_uniform(curandStateXORWOW *s)
{
  return simtlab_unit(curand(s));
}
SIMTLAB_RANDOM float curand_uniform(curandStatePhilox4_32_10_t *s)
{
  return simtlab_unit(curand(s));
}
SIMTLAB_RANDOM double curand_uniform_double(curandStateXORWOW *s)
{
  const unsigned int x = curand(s);
  return simtlab_unit2(x, curand(s));
}
SIMTLAB_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t *s)
{
  const unsigned int x = curand(s);
  return simtlab_unit2(x, curand(s));
}

/* Pairs of normal numbers by Box and Muller */
template <class S> static __device__ __inline__ float2 curand_normal2(S *s)
{
  const float radius = sqrtf(-2.0f * logf(curand_uniform(s)));
  float2 r;
  sincosf(CURAND_2PI * curand_uniform(s), &r.x, &r.y);
  r.x *= radius;
  r.y *= radius;
  return r;
}
template <class S> static __device__ __inline__ double2 curand_normal2_double(S *s)
{
  const double radius = sqrt(-2.0 * log(curand_uniform_double(s)));
  double2 r;
  sincospi(2.0 * curand_uniform_double(s), &r.x, &r.y);
  r.x *= radius;
  r.y *= radius;
  return r;
}
template <class S> static __device__ __inline__ float curand_normal(S *s)
{
  s->extra.has_single = !s->extra.has_single;
  if (!s->extra.has_single)
    return s->extra.single;
  const float2 r = curand_normal2(s);
  s->extra.single = r.y;
  return r.x;
}
template <class S> static __device__ __inline__ double curand_normal_double(S *s)
{
  s->extra.has_twice = !s->extra.has_twice;
  if (!s->extra.has_twice)
    return s->extra.twice;
  const double2 r = curand_normal2_double(s);
  s->extra.twice = r.y;
  return r.x;
}
template <class S> static __device__ __inline__ float curand_log_normal(S *s, float mean, float deviation)
{
  return expf(mean + deviation * curand_normal(s));
}
template <class S> static __device__ __inline__ double curand_log_normal_double(S *s, double mean, double deviation)
{
  return exp(mean + deviation * curand_normal_double(s));
}
template <class S> static __device__ __inline__ float2 curand_log_normal2(S *s, float mean, float deviation)
{
  const float2 n = curand_normal2(s);
  return make_float2(expf(mean + deviation * n.x), expf(mean + deviation * n.y));
}
template <class S> static __device__ __inline__ float4 curand_uniform4(S *s)
{
  float4 r;
  r.x = curand_uniform(s);
  r.y = curand_uniform(s);
  r.z = curand_uniform(s);
  r.w = curand_uniform(s);
  return r;
}
template <class S> static __device__ __inline__ double2 curand_uniform2_double(S *s)
{
  double2 r;
  r.x = curand_uniform_double(s);
  r.y = curand_uniform_double(s);
  return r;
}
template <class S> static __device__ __inline__ float4 curand_normal4(S *s)
{
  const float2 a = curand_normal2(s), b = curand_normal2(s);
  return make_float4(a.x, a.y, b.x, b.y);
}
/* Products of uniform numbers (Knuth) for small rates, transformed rejection (Hoermann 1993) for others */
template <class S> static __device__ __inline__ unsigned int curand_poisson(S *s, double rate)
{
  if (rate < 30) {
    const double end = exp(-rate);
    double product = curand_uniform_double(s);
    unsigned int n = 0;
    for (; product > end; n++)
      product *= curand_uniform_double(s);
    return n;
  }
  const double root = sqrt(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  for (;;) {
    const double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s), d = 0.5 - fabs(u);
    const double n = floor((2.0 * a / d + b) * u + rate + 0.43);
    if (d >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2.0))
      return (unsigned int)n;
    if (n < 0 || (d < 0.013 && v > d))
      continue;
    if (log(v) + log(1.1239 + 1.1328 / (b - 3.4)) - log(a / (d * d) + b) <= -rate + n * log(rate) - lgamma(n + 1.0))
      return (unsigned int)n;
  }
}
#undef SIMTLAB_M1
#undef SIMTLAB_M2
#undef SIMTLAB_RANDOM

#endif
