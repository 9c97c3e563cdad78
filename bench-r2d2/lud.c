// LU decomposition, inner blocks of a step: products of a tile of the row and a tile of the column.

#include "r2d2.h"

SIMT_KERNEL(internal, (float *, m), (int, size), (int, offset))
{
  SIMT_SHARED(float, row, 256);
  SIMT_SHARED(float, column, 256);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int global_row = offset + (blockIdx.y + 1) * 16, global_column = offset + (blockIdx.x + 1) * 16;
  row[16 * ty + tx] = m[(offset + ty) * size + global_column + tx];
  column[16 * ty + tx] = m[(global_row + ty) * size + offset + tx];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; i++)
    sum += column[16 * ty + i] * row[16 * i + tx];
  m[(global_row + ty) * size + global_column + tx] -= sum;
}
