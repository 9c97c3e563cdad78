#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  s[t] = data[i];
  __syncthreads();
  data[i] = s[63 - t];
}
LAUNCH(k, 2, 64, 256)
