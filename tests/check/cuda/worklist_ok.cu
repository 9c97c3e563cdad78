#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int first;
  if (i % 3 == 0)
    data[128 + (atomicAdd(&data[255], 1) - 255) % 100] = i;
}
LAUNCH(k, 2, 64, 256)
