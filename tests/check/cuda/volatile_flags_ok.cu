#include "launch.h"
__device__ volatile int arrived[4], go[4];
__global__ void k(int *data, int n)
{
  volatile int *d = data;
  const int t = threadIdx.x, b = blockIdx.x;
  if (t == 0) {
    d[b] = b + n;
    __threadfence();
    arrived[b] = 1;
  }
  if (b == 0) {
    if (t < gridDim.x)
      while (arrived[t] != 1)
        ;
    __syncthreads();
    if (t < gridDim.x)
      go[t] = 1;
  }
  if (t == 0)
    while (go[b] != 1)
      ;
  __syncthreads();
  __threadfence();
  data[64 + b * 64 + t] = d[(b + 1) % gridDim.x];
  if (d[300] > 5)
    return;
  if (b == 1 && t == 0)
    d[300] = 1;
}
LAUNCH(k, 3, 64, 320)
