// A matrix and its transpose times a vector (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(forward, (int, nx), (int, ny), (const float *, a), (const float *, x), (float *, tmp))
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    tmp[i] = 0;
    for (int j = 0; j < ny; j++)
      tmp[i] += a[i * ny + j] * x[j];
  }
}
SIMT_KERNEL(backward, (int, nx), (int, ny), (const float *, a), (float *, y), (const float *, tmp))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    y[j] = 0;
    for (int i = 0; i < nx; i++)
      y[j] += a[i * ny + j] * tmp[i];
  }
}
