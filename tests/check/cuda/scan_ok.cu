#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  s[t] = data[i];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  data[i] = s[t];
}
LAUNCH(k, 2, 64, 256)
