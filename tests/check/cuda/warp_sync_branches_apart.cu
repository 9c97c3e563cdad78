#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[32];
  if (t < 16) {
    s[t] = data[t]; // race
    __syncwarp(0xffff);
    data[32 + t] = s[t + 16]; // race
  } else {
    s[t] = data[t] * 2; // race
    __syncwarp(0xffff0000);
    data[32 + t] = s[t - 16] + 1; // race
  }
}
LAUNCH(k, 1, 32, 256)
