#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  for (int e = 0; e < 4; e++)
    atomicAdd(&data[128 + (i * 5 + e * 11) % 128], i);
}
LAUNCH(k, 2, 64, 256)
