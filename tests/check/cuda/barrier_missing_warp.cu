#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t < 32)
    asm volatile("bar.sync 1, 64;"); // barrier deadlock
  data[i] = i;
}
LAUNCH(k, 1, 64, 256)
