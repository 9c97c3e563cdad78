#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[32];
  if (t < 16)
    s[t] = data[i]; // race
  else
    data[i] = s[t - 16]; // race
}
LAUNCH(k, 1, 32, 256)
