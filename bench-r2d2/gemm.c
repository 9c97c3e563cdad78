// Dense matrix multiplication, one element of the result per thread (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(gemm, (int, n), (float, alpha), (float, beta), (const float *, a), (const float *, b), (float *, c))
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    c[i * n + j] *= beta;
    for (int k = 0; k < n; k++)
      c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
  }
}
