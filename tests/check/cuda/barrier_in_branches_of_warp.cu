#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  if (t % 2) {
    data[t] = 1;
    __syncthreads(); // barrier divergence
  } else {
    data[t] = 2;
    data[t + 64] = 3;
    __syncthreads();
  }
  data[t + 128] = 1;
}
LAUNCH(k, 1, 64, 256)
