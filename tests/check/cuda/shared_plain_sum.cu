#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int sum;
  if (t == 0)
    sum = 0;
  __syncthreads();
  sum += data[i]; // race
  __syncthreads();
  data[i] = sum;
}
LAUNCH(k, 2, 64, 256)
