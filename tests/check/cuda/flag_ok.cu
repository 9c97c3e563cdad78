#include "launch.h"
__device__ volatile int flag;
__device__ int value;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i == 0) {
    value = 42;
    __threadfence();
    flag = 1;
  }
  if (i == 64) {
    while (flag == 0)
      ;
    __threadfence();
    data[0] = value;
  }
}
LAUNCH(k, 2, 64, 256)
