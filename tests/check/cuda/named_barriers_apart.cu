#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  s[t] = data[i]; // race
  if (t < 32)
    asm volatile("bar.sync 1, 32;" ::: "memory");
  else
    asm volatile("bar.sync 2, 32;" ::: "memory");
  data[i] = s[63 - t]; // race
}
LAUNCH(k, 2, 64, 256)
