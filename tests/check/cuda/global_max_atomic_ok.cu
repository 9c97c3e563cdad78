#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  atomicMax(&data[200], (i * 37) % 101 + 200);
}
LAUNCH(k, 2, 64, 256)
