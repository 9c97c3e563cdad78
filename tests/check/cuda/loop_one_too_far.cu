#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  for (int e = i; e <= n; e += 128)
    data[e] = e; // out of bounds
}
LAUNCH(k, 2, 64, 256)
