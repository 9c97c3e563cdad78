// A matrix times its transpose (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(syrk, (int, ni), (int, nj), (float, alpha), (float, beta), (const float *, a), (float *, c))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < ni) {
    c[i * ni + j] *= beta;
    for (int k = 0; k < nj; k++)
      c[i * ni + j] += alpha * a[i * nj + k] * a[j * nj + k];
  }
}
