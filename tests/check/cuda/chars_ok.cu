#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  char *c = (char *)data;
  c[i] = (char)i;
}
LAUNCH(k, 2, 64, 256)
