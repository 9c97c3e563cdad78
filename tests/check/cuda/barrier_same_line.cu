#include "launch.h"
__global__ void k(int *data, int n)
{
  int t = threadIdx.x;
  if (t < 32) { data[t] = t; __syncthreads(); } else { data[t] = 2; __syncthreads(); data[t] = data[t - 32]; } // barrier mismatch
}
LAUNCH(k, 1, 64, 256)
