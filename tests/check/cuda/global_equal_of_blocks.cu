#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  data[200] = data[blockIdx.x] / 1000; // race
}
LAUNCH(k, 2, 64, 256)
