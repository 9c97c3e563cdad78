#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t == 0)
    data[0] = blockIdx.x; // race
}
LAUNCH(k, 2, 64, 256)
