#include "launch.h"
__global__ void k(int *data, int n)
{
  volatile int *d = data;
  d[threadIdx.x % 8] = threadIdx.x; // race
}
LAUNCH(k, 2, 64, 256)
