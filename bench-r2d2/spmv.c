// Sparse matrix times vector; the matrix has rows padded to one length and is stored by columns.

#include "r2d2.h"

SIMT_KERNEL(spmv, (int, rows), (int, length), (const int *, column), (const float *, value), (const float *, x),
            (float *, y))
{
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int k = 0; k < length; k++)
      sum += value[k * rows + row] * x[column[k * rows + row]];
    y[row] = sum;
  }
}
