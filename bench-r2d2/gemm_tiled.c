// Dense matrix multiplication in tiles of 16 x 16.

#include "r2d2.h"

SIMT_KERNEL(tiled, (const float *, a), (const float *, b), (float *, c), (int, wa), (int, wb))
{
  SIMT_SHARED(float, as, 256);
  SIMT_SHARED(float, bs, 256);
  const int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
  const int begin = wa * 16 * by, end = begin + wa - 1;
  float sum = 0;
  for (int p = begin, q = 16 * bx; p <= end; p += 16, q += 16 * wb) {
    as[16 * ty + tx] = a[p + wa * ty + tx];
    bs[16 * ty + tx] = b[q + wb * ty + tx];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += as[16 * ty + k] * bs[16 * k + tx];
    __syncthreads();
  }
  c[wb * 16 * by + 16 * bx + wb * ty + tx] = sum;
}
