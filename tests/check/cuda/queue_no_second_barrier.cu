#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int next;
  for (int w = 0; w < 4;) {
    if (t == 0)
      next = w + 1; // race
    __syncthreads();
    w = next; // race
  }
  data[i] = t;
}
LAUNCH(k, 2, 64, 256)
