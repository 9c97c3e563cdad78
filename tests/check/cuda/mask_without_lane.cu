#include "launch.h"
__global__ void k(int *data, int n)
{
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffff, t < 16);
  if (t <= 16) {
    s[t] = t;
    __syncwarp(mask); // wrong mask
    data[t] = t < 16 ? s[t / 2] : 0;
  }
  __syncthreads();
}
LAUNCH(k, 1, 32, 256)
