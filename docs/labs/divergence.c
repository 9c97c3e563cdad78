/* Lab sheet divergence: even elements are computed in one way, odd ones in another. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

static inline unsigned even(unsigned v)
{
  unsigned sum = 1;
  for (int i = 0; i < 24; i++)
    sum = sum * v + 3;
  return sum;
}

static inline unsigned odd(unsigned v)
{
  unsigned sum = 0;
  for (int i = 0; i < 24; i++)
    sum += (v + i) * (v ^ i);
  return sum;
}

SIMT_KERNEL(ways, (int, n), (unsigned *, y))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (i % 2 == 0)
      y[i] = even(i);
    else
      y[i] = odd(i);
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  unsigned *y = simt_alloc(n * sizeof *y);
  if (simt_launch(ways, dim3(16), dim3(128), .n = n, .y = y) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += y[i] != (i % 2 == 0 ? even(i) : odd(i));
  printf("%d wrong, %u cycles\n", wrong, simt_counter(SIMT_CYCLES));
  return wrong != 0;
}
