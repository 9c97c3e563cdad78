// Greatest common divisor of pairs of numbers, by Euclid's subtractions.

#include "../common/bench.h"

SIMT_KERNEL(vec_gcd, (int, n), (const int *, a), (const int *, b), (int *, c))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int x = a[i];
    int y = b[i];
    SIMT_LEVEL
    while (x != y) {
      SIMT_LEVEL
      if (x > y)
        x -= y;
      else
        y -= x;
    }
    c[i] = x;
  }
}

static int gcd(unsigned x, unsigned y)
{
  while (y != 0) {
    const unsigned rest = x % y;
    x = y;
    y = rest;
  }
  return (int)x;
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 100000 : 100;
  int *const a = simt_alloc(n * sizeof *a);
  int *const b = simt_alloc(n * sizeof *b);
  int *const c = simt_alloc(n * sizeof *c);
  for (int i = 0; i < n; i++) {
    a[i] = 1 + bench_random() % 255;
    b[i] = 1 + bench_random() % 255;
  }

  const unsigned block = bench_block(64);
  int passed =
      simt_launch(vec_gcd, dim3(bench_resident(block)), dim3(block), .n = n, .a = a, .b = b, .c = c) == SIMT_OK;
  for (int i = 0; i < n; i++)
    passed &= c[i] == gcd(a[i], b[i]);
  return bench_verdict("VecGCD", passed);
}
