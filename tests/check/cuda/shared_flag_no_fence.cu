#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ volatile int ready;
  __shared__ int v;
  if (t == 0)
    ready = 0;
  __syncthreads();
  if (t == 0) {
    v = n; // race
    ready = 1; // race
  }
  if (t == 32) {
    while (ready == 0) // race
      ;
    data[i] = v; // race
  }
}
LAUNCH(k, 2, 64, 256)
