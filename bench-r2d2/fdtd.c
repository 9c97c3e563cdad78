// Electromagnetic fields in two dimensions, three kernels per step (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(step_ey, (int, nx), (int, ny), (float *, ey), (const float *, hz), (float, source))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    if (i == 0)
      ey[i * ny + j] = source;
    else
      ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
  }
}
SIMT_KERNEL(step_ex, (int, nx), (int, ny), (float *, ex), (const float *, hz))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny && j > 0)
    ex[i * (ny + 1) + j] = ex[i * (ny + 1) + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
}
SIMT_KERNEL(step_hz, (int, nx), (int, ny), (const float *, ex), (const float *, ey), (float *, hz))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny)
    hz[i * ny + j] = hz[i * ny + j] -
                     0.7f * (ex[i * (ny + 1) + (j + 1)] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
