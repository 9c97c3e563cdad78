#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[2];
  if (t % 32 == 0)
    s[t / 32] = data[i]; // race
  data[i] += s[t / 32]; // race
}
LAUNCH(k, 2, 64, 256)
