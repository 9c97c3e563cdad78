// Sum of two matrix-vector products (PolyBench).

#include "r2d2.h"

SIMT_KERNEL(gesummv, (int, n), (float, alpha), (float, beta), (const float *, a), (const float *, b),
            (const float *, x), (float *, y))
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float first = 0, second = 0;
    for (int j = 0; j < n; j++) {
      first += a[i * n + j] * x[j];
      second += b[i * n + j] * x[j];
    }
    y[i] = alpha * first + beta * second;
  }
}
