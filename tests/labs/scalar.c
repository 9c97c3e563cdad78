/* A solution of the lab sheet scalar: the loop counts in all lanes alike, so its counter and the loads are scalar. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

enum { TAPS = 16 };

SIMT_KERNEL(filter, (int, n), (const int *, x), (const int *, k), (int *, y))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int t = 0; t < TAPS; t++)
      sum += k[t] * x[i + t];
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
