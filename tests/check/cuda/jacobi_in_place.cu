#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i > 0 && i < 127)
    data[i] = (data[i - 1] + data[i + 1]) / 2; // race
}
LAUNCH(k, 2, 64, 256)
