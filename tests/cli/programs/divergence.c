// Divergent statements of every kind, nested, with values that stay live across them, for full and partial warps: the
// same body on all threads and, with plain statements, on thread 0.

#include "simt.h"

#include <stdio.h>

static unsigned mix(unsigned h)
{
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  return h ^ h >> 16;
}

// clang-format off
#define BODY(IF, ELSE, ENDIF, WHILE, FOR, DO, DO_WHILE)                                                                \
  unsigned a = i * 7 + 1, b = mix(i), c = 3, d = i ^ 0x55;                                                             \
  IF (b & 1) {                                                                                                         \
    a += d;                                                                                                            \
    IF (b & 2) { c = a * 3; d++; } ELSE { c = d - a; IF (b & 4) { a ^= c; } ENDIF } ENDIF                              \
  } ELSE {                                                                                                             \
    d = c + b % 13;                                                                                                    \
    FOR (unsigned k = 0, k < (b >> 5 & 7), k++) { c += k * d; IF (c & 4) { d += 5; } ENDIF }                           \
  } ENDIF                                                                                                              \
  unsigned n = b >> 9 & 15;                                                                                            \
  WHILE (n != 0) { a = a * 5 + c; n--; unsigned m = a & 3; WHILE (m > 0) { c ^= a >> m; m--; } }                       \
  unsigned t = b >> 13 & 7;                                                                                            \
  DO { d = d * 3 + t; IF (t & 1) { a -= d; } ELSE { a += t; b = mix(b + a); } ENDIF } DO_WHILE(t-- != 0);              \
  out[i] = a ^ b ^ c ^ d;

struct arguments {
  unsigned *out, size;
};

static void kernel(const void *argument)
{
  unsigned *const out = ((const struct arguments *)argument)->out, size = ((const struct arguments *)argument)->size;
  SIMT_FOR (unsigned i = vx_hart_id(), i < size, i += vx_harts()) {
    BODY(SIMT_IF, SIMT_ELSE, SIMT_ENDIF, SIMT_WHILE, SIMT_FOR, SIMT_DO, SIMT_DO_WHILE)
  }
}

#define PLAIN_FOR(start, condition, step) for (start; condition; step)
#define NOTHING
static void reference(unsigned *out, unsigned size)
{
  for (unsigned i = 0; i < size; i++) {
    BODY(if, else, NOTHING, while, PLAIN_FOR, do, while)
  }
}
// clang-format on

SIMT_KERNEL(sum, (int, n), (const int *, a), (int *, sums))
{
  SIMT_SHARED(int, s, 64);
  const unsigned t = threadIdx.x;
  int mine = 0;
  SIMT_FOR(int i = blockIdx.x * blockDim.x + t, i < n, i += gridDim.x * blockDim.x)
  mine += a[i];
  s[t] = mine;
  simt_barrier();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    SIMT_IF(t < half) s[t] += s[t + half];
    SIMT_ENDIF
    simt_barrier();
  }
  SIMT_IF(t == 0) sums[blockIdx.x] = s[0];
  SIMT_ENDIF
}

int main(void)
{
  unsigned wrong = 0;
  for (unsigned size = 1; size < 400; size += 37) {
    unsigned *const found = simt_alloc(size * sizeof *found), *const expected = simt_alloc(size * sizeof *expected);
    vx_run(kernel, &(struct arguments){found, size});
    reference(expected, size);
    for (unsigned i = 0; i < size; i++)
      wrong += found[i] != expected[i];
  }
  int *const a = simt_alloc(1000 * sizeof *a), *const sums = simt_alloc(7 * sizeof *sums), expected = 0, found = 0;
  for (int i = 0; i < 1000; i++)
    expected += a[i] = i * i % 17;
  const int status = simt_launch(sum, dim3(7), dim3(64), .n = 1000, .a = a, .sums = sums);
  for (int i = 0; i < 7; i++)
    found += sums[i];
  printf("%u results wrong, sum %d of %d\n", wrong, found, expected);
  return wrong != 0 || status != SIMT_OK || found != expected;
}
