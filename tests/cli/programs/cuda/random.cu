/* Generators of curand_kernel.h against plain models, sequences against jumps in smaller steps, moments of
 * distributions. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <curand_kernel.h>
#include <vector>

enum { THREADS = 64, NUMBERS = 200 };
template <class S> __global__ void draw(unsigned *out, unsigned long long seed, unsigned long long offset)
{
  S s;
  curand_init(seed, threadIdx.x, offset, &s);
  for (int i = 0; i < NUMBERS; i++)
    out[threadIdx.x * NUMBERS + i] = curand(&s);
}
template <class S> __device__ void skip_sequences(unsigned n, S *s)
{
  skipahead_sequence(n, s);
}
__device__ void skip_sequences(unsigned n, curandStateMRG32k3a *s)
{
  skipahead_subsequence(n - 3, s);
  skipahead_subsequence(3, s);
}
template <class S> __global__ void skips(unsigned *out)
{
  S a, b;
  curand_init(99, 0, 0, &a);
  for (int i = 0; i < 1003; i++)
    curand(&a);
  curand_init(99, 0, 1003, &b);
  out[0] = curand(&a) == curand(&b);
  curand_init(99, 5, 0, &a);
  curand_init(99, 0, 7, &b);
  skip_sequences(5, &b);
  skipahead(13, &a);
  skipahead(6, &b);
  out[1] = curand(&a) == curand(&b);
}
template <class S> __global__ void moments(double *sums, double rate)
{
  S s;
  curand_init(7, threadIdx.x, 0, &s);
  for (int i = 0; i < NUMBERS; i++) {
    const double x[5] = {curand_uniform(&s), curand_uniform_double(&s), curand_normal(&s), curand_normal_double(&s),
                         (double)curand_poisson(&s, rate)};
    for (int k = 0; k < 5; k++) {
      atomicAdd(&sums[2 * k], x[k]);
      atomicAdd(&sums[2 * k + 1], x[k] * x[k]);
    }
  }
}

static int failures;
static void expect(bool right, const char *what)
{
  failures += !right;
  if (!right)
    printf("%s is wrong\n", what);
}
template <class S> static std::vector<unsigned> drawn(unsigned long long seed, unsigned long long offset)
{
  std::vector<unsigned> h(THREADS * NUMBERS);
  unsigned *d;
  cudaMalloc(&d, 4 * h.size());
  draw<S><<<1, THREADS>>>(d, seed, offset);
  expect(cudaMemcpy(h.data(), d, 4 * h.size(), cudaMemcpyDeviceToHost) == cudaSuccess, "a launch");
  skips<S><<<1, 1>>>(d);
  unsigned same[2];
  cudaMemcpy(same, d, sizeof same, cudaMemcpyDeviceToHost);
  expect(same[0] == 1 && same[1] == 1, "a jump");
  return h;
}
template <class S> static void distribution(double rate)
{
  double h[10], *d;
  const double n = THREADS * NUMBERS;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  moments<S><<<1, THREADS>>>(d, rate);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  const double mean[5] = {0.5, 0.5, 0, 0, rate}, variance[5] = {1 / 12.0, 1 / 12.0, 1, 1, rate};
  for (int k = 0; k < 5; k++) {
    const double m = h[2 * k] / n, v = h[2 * k + 1] / n - m * m;
    expect(fabs(m - mean[k]) < 5 * sqrt(variance[k] / n), "a mean");
    expect(fabs(v / variance[k] - 1) < 0.06, "a variance");
  }
}
static void philox(uint32_t c[4], uint32_t k0, uint32_t k1)
{
  for (int i = 0; i < 10; i++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const uint64_t a = (uint64_t)0xD2511F53 * c[0], b = (uint64_t)0xCD9E8D57 * c[2];
    const uint32_t n[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k1, (uint32_t)a};
    for (int j = 0; j < 4; j++)
      c[j] = n[j];
  }
}
int main()
{
  /* The published test vector of Philox 4x32-10 */
  uint32_t vector[4] = {0, 0, 0, 0};
  philox(vector, 0, 0);
  expect(vector[0] == 0x6627e8d5 && vector[3] == 0x9b00dbd8, "the model of Philox");
  std::vector<unsigned> r = drawn<curandStatePhilox4_32_10_t>(0x123456789abcdefull, 0);
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < NUMBERS; i++) {
      uint32_t c[4] = {(uint32_t)i / 4, 0, (uint32_t)t, 0};
      philox(c, 0x89abcdef, 0x1234567);
      if (r[t * NUMBERS + i] != c[i % 4])
        i = NUMBERS, expect(false, "Philox");
    }

  r = drawn<curandState>(1234, 0);
  uint32_t x[5], d, t0 = 1099087573u * (1234 ^ 0xaad26b49u), t1 = 2591861531u * 0xf7dcefddu;
  x[0] = 123456789 + t0, x[1] = 362436069 ^ t0, x[2] = 521288629 + t1, x[3] = 88675123 ^ t1, x[4] = 5783321 + t0;
  d = 6615241 + t0 + t1;
  for (int i = 0; i < NUMBERS; i++) {
    const uint32_t t = x[0] ^ x[0] >> 2;
    for (int j = 0; j < 4; j++)
      x[j] = x[j + 1];
    x[4] = x[4] ^ x[4] << 4 ^ t ^ t << 1;
    if (r[i] != x[4] + (d += 362437))
      i = NUMBERS, expect(false, "XORWOW");
  }

  r = drawn<curandStateMRG32k3a>(0, 0);
  uint64_t a[3] = {12345, 12345, 12345}, b[3] = {12345, 12345, 12345};
  for (int i = 0; i < NUMBERS; i++) {
    const uint64_t p = (1403580 * a[1] + 810728 * (4294967087ull - a[0])) % 4294967087ull;
    const uint64_t q = (527612 * b[2] + 1370589 * (4294944443ull - b[0])) % 4294944443ull;
    a[0] = a[1], a[1] = a[2], a[2] = p;
    b[0] = b[1], b[1] = b[2], b[2] = q;
    const double z = (double)(p > q ? p - q : p + 4294967087ull - q);
    if (fabs(r[i] - z) > 300)
      i = NUMBERS, expect(false, "MRG32k3a");
  }
  distribution<curandState>(4);
  distribution<curandState>(300);
  distribution<curandStatePhilox4_32_10_t>(40);
  distribution<curandStateMRG32k3a>(11.5);
  printf("%s\n", failures ? "FAILED" : "PASSED");
  return failures;
}
