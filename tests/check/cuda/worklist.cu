#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (data[i] % 3 == 0) {
    const int at = data[255]++; // race
    data[128 + at % 64] = i; // race
  }
}
LAUNCH(k, 2, 64, 256)
