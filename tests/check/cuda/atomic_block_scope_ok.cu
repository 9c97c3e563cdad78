#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  atomicAdd_block(&data[blockIdx.x], 1);
}
LAUNCH(k, 2, 64, 256)
