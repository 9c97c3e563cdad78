#include "launch.h"
__device__ int lock;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  while (atomicCAS(&lock, 0, 1) != 0) // SIMT deadlock
    ;
  data[0] += i;
  __threadfence();
  atomicExch(&lock, 0);
}
LAUNCH(k, 1, 32, 256)
