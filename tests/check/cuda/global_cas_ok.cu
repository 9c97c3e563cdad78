#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  int old = atomicAdd(&data[0], 0), seen;
  do {
    seen = old;
    old = atomicCAS(&data[0], seen, seen + i);
  } while (old != seen);
}
LAUNCH(k, 2, 64, 256)
