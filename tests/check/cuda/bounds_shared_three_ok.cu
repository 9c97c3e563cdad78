#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x, one = data[201] - 200;
  __shared__ char bytes[65];
  __shared__ int4 wide[64];
  __shared__ double last[64];
  extern __shared__ int open[];
  bytes[t] = t;
  if (t == 0)
    bytes[64] = 1;
  wide[t] = make_int4(t, t, t, t);
  last[t] = t;
  open[t] = t;
  __syncthreads();
  data[t] = open[63 - t] + wide[63 - t].w + (int)last[63 - t] + bytes[t + one];
}
LAUNCH_SHARED(k, 1, 64, 256, 256)
