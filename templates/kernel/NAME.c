/* y = a * x + y, one element per thread and step. Replace the kernel and its check by your own. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

SIMT_KERNEL(NAME, (int, n), (int, a), (const int *, x), (int *, y))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] += a * x[i];
}

/* The argument is the number of elements. The exit status tells whether all results are right. */
int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 10000, a = 3;
  int *x = simt_alloc(n * sizeof *x), *y = simt_alloc(n * sizeof *y);
  for (int i = 0; i < n; i++) {
    x[i] = i;
    y[i] = 1;
  }
  if (simt_launch(NAME, dim3(16), dim3(64), .n = n, .a = a, .x = x, .y = y) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += y[i] != a * i + 1;
  printf("%d wrong, %u cycles\n", wrong, simt_counter(SIMT_CYCLES));
  return wrong != 0;
}
