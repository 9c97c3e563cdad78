#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  for (int r = 0; r < 3; r++) {
    s[t] = data[i] + r;
    __syncthreads();
    data[i] += s[63 - t];
    __syncthreads();
  }
}
LAUNCH(k, 2, 64, 256)
