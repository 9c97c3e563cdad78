#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t < 32)
    *(long long *)(data + 128) = i; // race
  else
    data[129] = n; // race
}
LAUNCH(k, 1, 64, 256)
