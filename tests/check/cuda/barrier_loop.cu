#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x;
  for (int i = 0; i <= t % 3; i++) {
    data[t] += i;
    __syncthreads(); // barrier divergence
  }
}
LAUNCH(k, 1, 64, 256)
