// Alignment of two sequences (Needleman-Wunsch): a tile of 16 x 16 along its diagonals.

#include "r2d2.h"

SIMT_KERNEL(align, (const int *, reference), (int *, item), (int, columns), (int, penalty), (int, diagonal))
{
  SIMT_SHARED(int, score, 17 * 17);
  const int tx = threadIdx.x, bx = blockIdx.x, by = diagonal - 1 - bx;
  const int corner = columns * 16 * by + 16 * bx, index = corner + tx + columns + 1;
  for (int ty = 0; ty < 16; ty++)
    score[(ty + 1) * 17 + tx + 1] = reference[index + columns * ty];
  score[(tx + 1) * 17] = item[corner + columns * (tx + 1)];
  score[tx + 1] = item[corner + tx + 1];
  if (tx == 0)
    score[0] = item[corner];
  __syncthreads();
  for (int m = 0; m < 31; m++) {
    const int x = m < 16 ? tx + 1 : tx + m - 14, y = m < 16 ? m - tx + 1 : 16 - tx;
    if (m < 16 ? tx <= m : tx <= 30 - m) {
      const int through = score[(y - 1) * 17 + x - 1] + score[y * 17 + x];
      const int left = score[y * 17 + x - 1] - penalty, up = score[(y - 1) * 17 + x] - penalty;
      const int best = left > up ? left : up;
      score[y * 17 + x] = through > best ? through : best;
    }
    __syncthreads();
  }
  for (int ty = 0; ty < 16; ty++)
    item[index + columns * ty] = score[(ty + 1) * 17 + tx + 1];
}
