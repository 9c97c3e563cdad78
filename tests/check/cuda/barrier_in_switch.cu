#include "launch.h"
__global__ void k(int *data, int n)
{
  const int t = threadIdx.x;
  __shared__ int s[64];
  s[t] = t;
  switch (t % 4) {
  case 0: __syncthreads(); data[t] = s[t ^ 1]; break; // barrier divergence
  case 1: data[t] = 5; __syncthreads(); data[t] += s[t ^ 1]; break;
  default: data[t] = 7;
  }
  data[t + 64] = t;
}
LAUNCH(k, 1, 32, 256)
