#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t < 16)
    __syncthreads(); // barrier divergence
  data[i] = i;
}
LAUNCH(k, 1, 32, 256)
