#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x, one = data[201] - 200;
  __shared__ int before[64], after[64];
  after[t] = 1;
  before[t] = 3;
  __syncthreads();
  if (t == 63)
    before[t + one] = 2; // out of bounds
  __syncthreads();
  data[t] = before[63 - t] + after[63 - t];
}
LAUNCH(k, 1, 64, 256)
