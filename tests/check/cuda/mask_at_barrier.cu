#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x, v = data[t];
  if (t < 16)
    v = __any_sync(~0u, v); // wrong mask
  __syncthreads();
  data[t] = v;
}
LAUNCH(k, 1, 32, 256)
