#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int q[32];
  for (int r = 0; r < 3; r++) {
    if (t < 32)
      q[t] = data[i] + r; // race
    __syncthreads();
    if (t >= 32)
      data[i] = q[t - 32]; // race
  }
}
LAUNCH(k, 2, 64, 256)
