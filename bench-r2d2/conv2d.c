// A 3 x 3 convolution with constant coefficients (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(convolution, (int, ni), (int, nj), (const float *, a), (float *, b))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni - 1 && j < nj - 1 && i > 0 && j > 0)
    b[i * nj + j] = 0.2f * a[(i - 1) * nj + (j - 1)] - 0.3f * a[i * nj + (j - 1)] + 0.4f * a[(i + 1) * nj + (j - 1)] +
                    0.5f * a[(i - 1) * nj + j] + 0.6f * a[i * nj + j] + 0.7f * a[(i + 1) * nj + j] -
                    0.8f * a[(i - 1) * nj + (j + 1)] - 0.9f * a[i * nj + (j + 1)] + 0.1f * a[(i + 1) * nj + (j + 1)];
}
