// Gaussian elimination: one step over the remaining matrix.

#include "r2d2.h"

SIMT_KERNEL(eliminate, (const float *, m), (float *, a), (float *, b), (int, size), (int, t))
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size - 1 - t || y >= size - t)
    return;
  a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
  if (y == 0)
    b[x + 1 + t] -= m[size * (x + 1 + t) + (y + t)] * b[t];
}
