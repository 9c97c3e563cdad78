#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[32];
  s[t] = data[i];
  for (int d = 16; d > 0; d /= 2) {
    __syncwarp();
    if (t < d)
      s[t] += s[t + d];
  }
  __syncwarp();
  data[i] = s[0];
}
LAUNCH(k, 1, 32, 256)
