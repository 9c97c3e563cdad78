// Temperature of a chip: a tile in shared memory, two time steps with a shrinking frame.

#include "r2d2.h"

SIMT_KERNEL(hotspot, (const float *, power), (const float *, from), (float *, to), (int, columns), (int, rows),
            (float, step))
{
  SIMT_SHARED(float, now, 256);
  SIMT_SHARED(float, next, 256);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int y = 12 * (int)blockIdx.y - 2 + ty, x = 12 * (int)blockIdx.x - 2 + tx, index = columns * y + x;
  const int inside = y >= 0 && y < rows && x >= 0 && x < columns;
  const int at = 16 * ty + tx;
  float heat = 0;
  if (inside) {
    now[at] = from[index];
    heat = power[index];
  } else {
    now[at] = 0;
  }
  __syncthreads();
  for (int i = 0; i < 2; i++) {
    if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && inside)
      next[at] = now[at] + step * (heat + (now[at + 16] + now[at - 16] - 2.0f * now[at]) * 0.1f +
                                   (now[at + 1] + now[at - 1] - 2.0f * now[at]) * 0.2f);
    __syncthreads();
    if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && inside)
      now[at] = next[at];
    __syncthreads();
  }
  if (tx > 1 && tx < 14 && ty > 1 && ty < 14 && inside)
    to[index] = now[at];
}
