/* A solution of the lab sheet memory: the lanes of a warp read a row side by side and add up
 * their parts in shared memory. */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"

enum { ROW = 128 };

SIMT_KERNEL(rows, (int, n), (const int *, x), (int *, sum))
{
  SIMT_SHARED(int, part, blockDim.x);
  for (int r = blockIdx.x; r < n; r += gridDim.x) {
    int own = 0;
    for (int c = threadIdx.x; c < ROW; c += blockDim.x)
      own += x[r * ROW + c];
    part[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half)
        part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      sum[r] = part[0];
    __syncthreads();
  }
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 512;
  int *x = simt_alloc(n * ROW * sizeof *x), *sum = simt_alloc(n * sizeof *sum);
  for (int i = 0; i < n * ROW; i++)
    x[i] = i % 1000;
  for (int r = 0; r < n; r++)
    sum[r] = 0;
  if (simt_launch(rows, dim3(16), dim3(32), .n = n, .x = x, .sum = sum) != SIMT_OK)
    return 1;
  int wrong = 0;
  for (int r = 0; r < n; r++) {
    int right = 0;
    for (int c = 0; c < ROW; c++)
      right += x[r * ROW + c];
    wrong += sum[r] != right;
  }
  printf("%d wrong, %u cycles\n", wrong, simt_counter(SIMT_CYCLES));
  return wrong != 0;
}
