#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int count;
  if (t == 0)
    count = 0; // race
  atomicAdd(&count, 1); // race
  __syncthreads();
  data[i] = count;
}
LAUNCH(k, 2, 64, 256)
