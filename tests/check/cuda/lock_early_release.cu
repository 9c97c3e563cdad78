#include "launch.h"
__device__ int lock;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    atomicExch(&lock, 0);
    data[0] += i; // race
  }
}
LAUNCH(k, 8, 32, 256)
