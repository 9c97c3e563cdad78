#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x, v = data[t];
  if (t >= 16) {
    data[t] = 1;
    return;
  }
  for (int d = 8; d > 0; d /= 2)
    v += __shfl_down_sync(0xffff, v, d);
  data[t] = v;
}
LAUNCH(k, 1, 32, 256)
