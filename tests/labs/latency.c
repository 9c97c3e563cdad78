/* A solution of the lab sheet latency: as many threads as the SM holds. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

SIMT_KERNEL(add, (int, n), (const int *, a), (const int *, b), (int *, c))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 8192;
  int *a = simt_alloc(n * sizeof *a), *b = simt_alloc(n * sizeof *b), *c = simt_alloc(n * sizeof *c);
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  if (simt_launch(add, dim3(16), dim3(128), .n = n, .a = a, .b = b, .c = c) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += c[i] != 3 * i;
  printf("%d wrong, %u cycles\n", wrong, simt_counter(SIMT_CYCLES));
  return wrong != 0;
}
