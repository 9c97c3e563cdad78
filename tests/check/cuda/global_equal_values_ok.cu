#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (data[i] % 2 == 0)
    data[200] = n;
}
LAUNCH(k, 2, 64, 256)
