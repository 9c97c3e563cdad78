#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[i] = data[i - 3]; // out of bounds
}
LAUNCH(k, 1, 3, 256)
