#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[128 + i / 2] = n + i; // race
}
LAUNCH(k, 2, 64, 256)
