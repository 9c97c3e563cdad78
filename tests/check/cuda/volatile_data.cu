#include "launch.h"
__global__ void k(int *data, int n)
{
  volatile int *d = data;
  const int t = threadIdx.x;
  d[t] = d[t + 1] + 1; // race
}
LAUNCH(k, 1, 64, 256)
