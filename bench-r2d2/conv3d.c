// A convolution in three dimensions, one plane per launch (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(plane, (int, ni), (int, nj), (int, nk), (const float *, a), (float *, b), (int, i))
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
#define AT(x, y, z) a[(x) * (nk * nj) + (y)*nk + (z)]
  if (i < ni - 1 && j < nj - 1 && k < nk - 1 && i > 0 && j > 0 && k > 0)
    b[i * (nk * nj) + j * nk + k] = 2.0f * AT(i - 1, j - 1, k - 1) + 5.0f * AT(i - 1, j - 1, k + 1) -
                                    8.0f * AT(i + 1, j - 1, k - 1) - 3.0f * AT(i, j - 1, k) + 6.0f * AT(i, j, k) -
                                    9.0f * AT(i, j + 1, k) + 4.0f * AT(i - 1, j - 1, k + 1) +
                                    7.0f * AT(i - 1, j, k + 1) + 10.0f * AT(i + 1, j + 1, k + 1);
}
