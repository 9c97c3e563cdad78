#include "launch.h"
__device__ int lock;
__global__ void k(int *data, int n)
{
  bool done = false;
  while (!done)
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      data[0] += 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
}
LAUNCH(k, 4, 64, 256)
