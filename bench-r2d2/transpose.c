// Matrix transposition through a tile in shared memory.

#include "r2d2.h"

SIMT_KERNEL(transpose, (const float *, in), (float *, out), (int, width), (int, height))
{
  SIMT_SHARED(float, tile, 16 * 17);
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[17 * threadIdx.y + threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int to_x = blockIdx.y * 16 + threadIdx.x, to_y = blockIdx.x * 16 + threadIdx.y;
  out[to_y * height + to_x] = tile[17 * threadIdx.x + threadIdx.y];
}
