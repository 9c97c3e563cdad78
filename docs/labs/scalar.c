/* Lab sheet scalar: a filter whose coefficients each thread computes from its own index, though all get the same. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

enum { TAPS = 16 };

SIMT_KERNEL(filter, (int, n), (const int *, x), (const int *, k), (int *, y))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int t = i * TAPS; t < (i + 1) * TAPS; t++) { /* t differs from lane to lane */
      const int tap = t % TAPS;
      sum += k[tap] * x[i + tap];
    }
    y[i] = sum;
  }
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  int *x = simt_alloc((n + TAPS) * sizeof *x), *k = simt_alloc(TAPS * sizeof *k), *y = simt_alloc(n * sizeof *y);
  for (int i = 0; i < n + TAPS; i++)
    x[i] = i % 77;
  for (int t = 0; t < TAPS; t++)
    k[t] = t + 1;
  if (simt_launch(filter, dim3(16), dim3(128), .n = n, .x = x, .k = k, .y = y) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int t = 0; t < TAPS; t++)
      sum += k[t] * x[i + t];
    wrong += y[i] != sum;
  }
  printf("%d wrong, %u cycles\n", wrong, simt_counter(SIMT_CYCLES));
  return wrong != 0;
}
