#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int base, count;
  base = data[200 + blockIdx.x];
  count = blockIdx.x * n;
  __syncthreads();
  data[i] = base + count;
}
LAUNCH(k, 2, 64, 256)
