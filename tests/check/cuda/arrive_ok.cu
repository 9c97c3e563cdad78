#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[32];
  if (t < 32) {
    s[t] = t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    data[t] = s[t - 32];
  }
}
LAUNCH(k, 1, 64, 256)
