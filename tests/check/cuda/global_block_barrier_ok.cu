#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[i + 128] = i;
  __syncthreads();
  data[i] = data[blockIdx.x * 64 + 128 + 63 - t];
}
LAUNCH(k, 2, 64, 256)
