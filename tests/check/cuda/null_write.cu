#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i == 5)
    *(int *)(n - 256 + 8ull) = 1; // null pointer
}
LAUNCH(k, 2, 64, 256)
