#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  s[t] = data[i];
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      s[t] += s[t + d];
  }
  __syncthreads();
  if (t == 0)
    data[128 + blockIdx.x] = s[0];
}
LAUNCH(k, 2, 64, 256)
