#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x, one = data[201] - 200;
  __shared__ int fixed[64];
  extern __shared__ int open[];
  open[t] = t;
  fixed[t] = t;
  __syncthreads();
  data[t] = open[63 - t] + fixed[t + one]; // out of bounds
}
LAUNCH_SHARED(k, 1, 64, 256, 256)
