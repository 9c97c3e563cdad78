#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x;
  if (t >= 40)
    return;
  data[t] = 1;
  __syncthreads();
  data[t] += 1;
  __syncthreads();
}
LAUNCH(k, 1, 64, 256)
