#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  s[t] = data[i]; // race
  __syncthreads();
  for (int d = 32; d > 0; d /= 2)
    if (t < d)
      s[t] += s[t + d]; // race
  if (t == 0)
    data[blockIdx.x] = s[0]; // race
}
LAUNCH(k, 2, 64, 256)
