#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int bins[16];
  if (t < 16)
    bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[i % 16], 1); // race
  if (t < 16)
    atomicAdd(&data[128 + t], bins[t]); // race
}
LAUNCH(k, 2, 64, 256)
