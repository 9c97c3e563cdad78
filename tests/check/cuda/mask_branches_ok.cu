#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x;
  if (t % 2) {
    data[t] = t;
    __syncwarp();
    data[t] = t - 1;
  } else {
    data[t] = 1;
    __syncwarp();
    data[t] = t + 1;
  }
  data[t] += __shfl_xor_sync(~0u, t, 1);
  if (t < 16)
    data[t] += __shfl_xor_sync(0xffff, t, 1);
  else
    for (int i = 0; i < t; i++)
      data[t] += __any_sync(__activemask(), t == 17);
  data[t] += __shfl_xor_sync(~0u, t, 1);
}
LAUNCH(k, 1, 32, 256)
