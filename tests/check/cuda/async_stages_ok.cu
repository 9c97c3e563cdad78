#include "launch.h"
#include <cuda_pipeline.h>
__global__ void k(int *data, int n)
{
  __shared__ int4 s[2][32];
  const int t = threadIdx.x;
  const int4 *from = (const int4 *)data;
  int sum = 0;
  __pipeline_memcpy_async(&s[0][t], &from[t], 16);
  __pipeline_commit();
  for (int i = 0; i < 4; i++) {
    if (i < 3)
      __pipeline_memcpy_async(&s[(i + 1) % 2][t], &from[32 * (i + 1) + t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[i % 2][31 - t].x;
    __syncthreads();
  }
  data[512 + t] = sum;
}
LAUNCH(k, 1, 32, 544)
