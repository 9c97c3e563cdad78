#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  int sum = 0;
  for (int e = 0; e < 4; e++)
    sum += data[(i * 5 + e * 11) % 128]; // race
  data[i] = sum; // race
}
LAUNCH(k, 2, 64, 256)
