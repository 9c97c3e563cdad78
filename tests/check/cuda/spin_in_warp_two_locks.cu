#include "launch.h"
__device__ int lock[2];
__global__ void k(int *data, int n)
{
  const int own = threadIdx.x % 2;
  while (atomicCAS(&lock[own], 0, 1) != 0)
    ;
  __threadfence();
  data[0] += 1; // race
  __threadfence();
  atomicExch(&lock[own], 0);
}
LAUNCH(k, 4, 64, 256)
