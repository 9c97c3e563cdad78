#include "launch.h"
__device__ volatile int arrived;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[128 + i] = i; // race
  if (t == 0) {
    __threadfence();
    atomicAdd((int *)&arrived, 1);
    while (arrived < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  data[i] = data[255 - i]; // race
}
LAUNCH(k, 2, 64, 256)
