#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[32];
  s[t] = data[i];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  data[i] = s[t ^ 15];
}
LAUNCH(k, 1, 32, 256)
