#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[32];
  for (int i = 0; i < 5; i++) {
    if ((t ^ i) & 1) {
      s[t] = i;
      __syncwarp();
      data[t] = s[t ^ 1];
      __syncwarp();
    } else {
      s[t] = t;
      __syncwarp();
      data[t] += s[t ^ 1];
      __syncwarp();
    }
  }
}
LAUNCH(k, 1, 32, 256)
