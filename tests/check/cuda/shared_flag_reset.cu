#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ bool again;
  do {
    __syncthreads();
    if (t == 0)
      again = false; // race
    if (data[t] < 70) {
      data[t]++;
      again = true; // race
    }
    __syncthreads();
  } while (again);
}
LAUNCH(k, 1, 64, 256)
