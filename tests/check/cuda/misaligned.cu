#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  *(int *)((char *)data + 4 * i + (i == 7) * 2) = 1; // misaligned access
}
LAUNCH(k, 2, 64, 256)
