// A five-point stencil in two dimensions.

#include "r2d2.h"

SIMT_KERNEL(jacobi, (int, n), (const float *, a), (float *, b))
{
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
    b[i * n + j] =
        0.2f * (a[i * n + j] + a[i * n + (j - 1)] + a[i * n + (1 + j)] + a[(1 + i) * n + j] + a[(i - 1) * n + j]);
}
