#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s;
  if (t == 0)
    s = data[i]; // race
  data[i] += s; // race
}
LAUNCH(k, 2, 64, 256)
