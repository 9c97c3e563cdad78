#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ char s[64];
  s[t] = (char)data[i];
  __syncthreads();
  data[i] = s[t] + s[t ^ 1];
}
LAUNCH(k, 2, 64, 256)
