#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  const int v = (i * 37) % 101;
  if (data[200] < v + 200) // race
    atomicMax(&data[200], v + 200); // race
}
LAUNCH(k, 2, 64, 256)
