#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x, v = data[t];
  if (t < 16)
    for (int d = 8; d > 0; d /= 2)
      v += __shfl_down_sync(0xffffffff, v, d); // wrong mask
  v = __shfl_sync(0xffffffff, v, 0);
  data[t] = v;
}
LAUNCH(k, 1, 32, 256)
