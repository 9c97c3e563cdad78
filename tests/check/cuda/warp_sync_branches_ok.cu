#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[32];
  if (t < 16) {
    s[t] = data[t];
    __syncwarp();
    data[32 + t] = s[t + 16];
  } else {
    s[t] = data[t] * 2;
    __syncwarp();
    data[32 + t] = s[t - 16] + 1;
  }
}
LAUNCH(k, 1, 32, 256)
