#include "launch.h"
#include <cuda_pipeline.h>
__global__ void k(int *data, int n)
{
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &data[t], 4); // race
  __pipeline_commit();
  __syncthreads();
  data[128 + t] = s[63 - t]; // race
}
LAUNCH(k, 1, 64, 256)
