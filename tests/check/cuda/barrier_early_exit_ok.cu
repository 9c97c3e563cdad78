#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t >= 32)
    return;
  data[i] = 1;
  __syncthreads();
  data[i] += 1;
}
LAUNCH(k, 1, 64, 256)
