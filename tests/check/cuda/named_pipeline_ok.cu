#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[32];
  for (int r = 0; r < 4; r++)
    if (t < 32) {
      if (r > 0)
        asm volatile("bar.sync 2, 64;" ::: "memory");
      s[t] = data[r * 32 + t];
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      data[r * 32 + t + 96] = s[63 - t];
      if (r < 3)
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
}
LAUNCH(k, 1, 64, 256)
