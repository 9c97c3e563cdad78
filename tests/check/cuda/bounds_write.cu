#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[i + n - 127] = 1; // out of bounds
}
LAUNCH(k, 2, 64, 256)
