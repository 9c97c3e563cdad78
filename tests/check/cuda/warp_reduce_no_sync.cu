#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[64];
  s[t] = data[i];
  s[t + 32] = 0;
  __syncwarp();
  if (t < 16)
    s[t] += s[t + 16]; // race
  if (t < 8)
    s[t] += s[t + 8]; // race
  data[i] = s[t];
}
LAUNCH(k, 1, 32, 256)
