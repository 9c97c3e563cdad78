#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ char s[64];
  s[t] = (char)data[i]; // race
  data[i] = s[(t + 32) % 64]; // race
}
LAUNCH(k, 2, 64, 256)
