#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ volatile int s[64];
  s[t] = data[i]; // race
  s[t + 32] = 0; // race
  s[t] += s[t + 16]; // race
  s[t] += s[t + 8]; // race
  data[i] = s[t];
}
LAUNCH(k, 1, 32, 256)
