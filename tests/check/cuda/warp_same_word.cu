#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s;
  s = t; // race
  __syncwarp();
  data[i] = s;
}
LAUNCH(k, 1, 32, 256)
