#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  int4 *v = (int4 *)(data + 128);
  if (t < 8)
    v[t] = make_int4(i, i, i, i); // race
  data[i] = data[128 + t / 2]; // race
}
LAUNCH(k, 1, 64, 256)
