/* The program of the study: c = a + b. The argument is the number of elements. */
#include <stdlib.h>

#include "simt.h"

SIMT_KERNEL(vectors, (int, n), (const int *, a), (const int *, b), (int *, c))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  int *a = simt_alloc(n * sizeof *a), *b = simt_alloc(n * sizeof *b), *c = simt_alloc(n * sizeof *c);
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  if (simt_launch(vectors, dim3(16), dim3(128), .n = n, .a = a, .b = b, .c = c) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += c[i] != 3 * i;
  return wrong != 0;
}
