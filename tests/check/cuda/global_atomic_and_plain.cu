#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (blockIdx.x == 0)
    atomicAdd(&data[t], 1); // race
  else
    data[t] = 0; // race
}
LAUNCH(k, 2, 64, 256)
