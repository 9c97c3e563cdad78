#include "launch.h"
__device__ void sum(int *s, int *data)
{
  s[threadIdx.x] = 1;
  __syncthreads(); // barrier divergence
  data[threadIdx.x] = s[0];
}
__global__ void k(int *data, int n)
{
  __shared__ int s[64];
  if (threadIdx.x < 20)
    sum(s, data);
  data[64 + threadIdx.x] = 1;
}
LAUNCH(k, 1, 64, 256)
