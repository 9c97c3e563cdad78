#include "launch.h"
/* Both sides store to one place at their ends, and only one of them has a barrier. */
__global__ void k(int *data, int n)
{
  int *p = &data[threadIdx.x];
  if (threadIdx.x >= n / 8) {
    *p = 1;
    return;
  }
  __syncthreads();
  *p = 2;
}
LAUNCH(k, 1, 32, 128)
