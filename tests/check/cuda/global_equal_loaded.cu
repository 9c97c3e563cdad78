#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[200] = data[i] / 1000; // race
}
LAUNCH(k, 2, 64, 256)
