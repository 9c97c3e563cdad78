#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  short *p = (short *)data;
  p[i] = (short)(i * 3); // race
  if (i < 100)
    p[i + 1] = (short)n; // race
}
LAUNCH(k, 2, 64, 256)
