#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[32];
  s[t] = data[i]; // race
  if (t < 16)
    __syncwarp(0xffff);
  data[i] = s[31 - t]; // race
}
LAUNCH(k, 1, 32, 256)
