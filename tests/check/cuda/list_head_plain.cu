#include "launch.h"
__device__ int head;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  data[i] = head; // race
  head = i; // race
}
LAUNCH(k, 2, 64, 256)
