#include "launch.h"
__device__ unsigned done;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  __shared__ bool last;
  data[128 + i] = i * 2; // race
  if (t == 0) {
    __threadfence();
    last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last)
    for (int b = t; b < 128; b += 64)
      data[b] = data[255 - b]; // race
}
LAUNCH(k, 2, 64, 256)
