#include "launch.h"
__global__ void k(int *data, int n)
{
  volatile int *d = data;
  d[threadIdx.x % 8] = 5;
}
LAUNCH(k, 2, 64, 256)
