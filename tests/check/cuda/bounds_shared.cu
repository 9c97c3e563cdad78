#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  extern __shared__ int s[];
  s[t] = data[i]; // out of bounds
  __syncthreads();
  data[i] = s[t];
}
LAUNCH_SHARED(k, 2, 64, 256, 128)
