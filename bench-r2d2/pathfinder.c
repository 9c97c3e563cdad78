// The cheapest path down a grid: row by row in shared memory.

#include "r2d2.h"

SIMT_KERNEL(pathfinder, (int, rows), (const int *, wall), (const int *, from), (int *, to), (int, columns),
            (int, start))
{
  SIMT_SHARED(int, before, 256);
  SIMT_SHARED(int, result, 256);
  const int tx = threadIdx.x, x = (256 - 2 * rows) * (int)blockIdx.x - rows + tx;
  const int inside = x >= 0 && x < columns;
  before[tx] = inside ? from[x] : 1 << 20;
  __syncthreads();
  for (int i = 0; i < rows; i++) {
    if (tx > i && tx < 255 - i && inside) {
      const int left = before[tx - 1], up = before[tx], right = before[tx + 1];
      const int least = left < up ? left : up;
      result[tx] = (least < right ? least : right) + wall[columns * (start + i) + x];
    }
    __syncthreads();
    if (tx > i && tx < 255 - i && inside)
      before[tx] = result[tx];
    __syncthreads();
  }
  if (tx >= rows && tx < 256 - rows && inside)
    to[x] = before[tx];
}
