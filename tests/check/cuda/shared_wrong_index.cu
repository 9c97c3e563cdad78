#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[66];
  s[t + 1] = data[i]; // race
  s[t] = data[i] + 1; // race
  __syncthreads();
  data[i] = s[t];
}
LAUNCH(k, 2, 64, 256)
