#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[32];
  if (t < 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    s[t] = t; // race
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    data[t] = s[t - 32]; // race
  }
}
LAUNCH(k, 1, 64, 256)
