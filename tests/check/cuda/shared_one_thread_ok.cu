#include "launch.h"
__global__ void k(int *data, int n)
{
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t == 3) s[0] = n;
  int v = 1;
  if (t == 3) v = s[0];
  if (t > 40) { data[t + 64] = 1; data[t] = 5; return; }
  __syncthreads();
  data[t] = v + n;
}
LAUNCH(k, 1, 32, 256)
