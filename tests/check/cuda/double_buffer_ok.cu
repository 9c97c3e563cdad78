#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  __shared__ int s[2][64];
  s[0][t] = data[i];
  __syncthreads();
  for (int r = 0; r < 4; r++) {
    s[1 - r % 2][t] = s[r % 2][(t + 1) % 64] + 1;
    __syncthreads();
  }
  data[i] = s[0][t];
}
LAUNCH(k, 2, 64, 256)
